import { backgroundPart } from '#lib/parts/lazy-part.ts'

export { billingRoute } from './routes.tsx'
export const IncompleteSettings = backgroundPart(
  () => import('./incomplete-settings.tsx'),
  'IncompleteSettings',
)
