export { importInventory, inventoryColumns } from './commands/import-inventory.ts'
export { takeOfferingsDown } from './commands/take-offerings-down.ts'
export { findBottleFacts, findBottles, type BottleFacts, type ListedBottle } from './reads.ts'
export { findByGtin, findShelves, type Shelf } from './shelves.ts'
