import { lazyPart } from '#lib/lazy-part.ts'

export const IncompleteSettings = lazyPart(
  async () => (await import('./incomplete-settings.tsx')).IncompleteSettings,
)
