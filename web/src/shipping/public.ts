import { lazyPart } from '#lib/lazy-part.ts'

export const TrackingDialog = lazyPart(async () => (await import('./tracking-dialog.tsx')).TrackingDialog)
