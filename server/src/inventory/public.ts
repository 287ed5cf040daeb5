export { importInventory, inventoryColumns } from './commands/import-inventory.ts'
export { findBottleFacts, type BottleFacts } from './reads.ts'
