import { lazyPart } from '#lib/lazy-part.ts'

export { billingRoute } from './routes.tsx'
export const IncompleteSettings = lazyPart(
  async () => (await import('./incomplete-settings.tsx')).IncompleteSettings,
)
