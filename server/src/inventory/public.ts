export { importInventory, inventoryColumns, type ImportReport } from './commands/import-inventory.ts'
