export { importInventory, inventoryColumns } from './commands/import-inventory.ts'
export { findBottleFacts, findBottles, type BottleFacts, type ListedBottle } from './reads.ts'
