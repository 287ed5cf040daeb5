import { lazyPart } from '#lib/parts/lazy-part.ts'

export { readInventorySearch } from './inventory-search.ts'
export const InventoryPage = lazyPart(() => import('./inventory-page.tsx'), 'InventoryPage')
