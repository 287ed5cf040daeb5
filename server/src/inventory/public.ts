export { importInventory, inventoryColumns } from './commands/import-inventory.ts'
export { findByGtin, findShelves, type Shelf } from './shelves.ts'
export { findBottleFacts, type BottleFacts, type OfferingReference } from './reads.ts'
export { takeOfferingsDown } from './commands/take-offerings-down.ts'
