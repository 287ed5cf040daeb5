export { importInventory, inventoryColumns } from './commands/import-inventory.ts'
export { findBottleFacts, type BottleFacts, type OfferingReference } from './reads.ts'
export { takeOfferingsDown } from './commands/take-offerings-down.ts'
