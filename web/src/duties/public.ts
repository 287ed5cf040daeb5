import { lazyPart } from '#lib/parts/lazy-part.ts'

export { orderDutiesQuery } from './order-duties-query.ts'
export { dutiesRoute } from './routes.tsx'
export const DutiesPart = lazyPart(() => import('./duties-part.tsx'), 'DutiesPart')
