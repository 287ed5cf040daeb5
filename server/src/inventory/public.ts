export { importInventory, inventoryColumns } from './commands/import-inventory.ts'
