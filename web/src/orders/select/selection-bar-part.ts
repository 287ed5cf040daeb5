import { lazyPart } from '#lib/parts/lazy-part.ts'

export const SelectionBar = lazyPart(() => import('./selection-bar.tsx'), 'SelectionBar')
