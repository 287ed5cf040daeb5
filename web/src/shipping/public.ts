import { lazyPart } from '#lib/parts/lazy-part.ts'

export { carrierRoute } from './routes.tsx'
export const TrackingDialog = lazyPart(async () => (await import('./tracking-dialog.tsx')).TrackingDialog)
export const LabelDialog = lazyPart(async () => (await import('./label-dialog.tsx')).LabelDialog)
export const LabelsPart = lazyPart(async () => (await import('./labels-part.tsx')).LabelsPart)
