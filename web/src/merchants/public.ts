import { backgroundPart } from '#lib/parts/lazy-part.ts'

export { merchantQuery, useHasCarrier, useTimezone } from './queries.ts'
export { companyRoute } from './routes.tsx'
export const OutsideServices = backgroundPart(() => import('./outside-services.tsx'), 'OutsideServices')
