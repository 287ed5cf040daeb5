import { lazyPart } from '#lib/parts/lazy-part.ts'

export { carrierRoute } from './routes.tsx'
export const TrackingDialog = lazyPart(() => import('./tracking-dialog.tsx'), 'TrackingDialog')
export const LabelDialog = lazyPart(() => import('./label-dialog.tsx'), 'LabelDialog')
export const LabelsPart = lazyPart(() => import('./labels-part.tsx'), 'LabelsPart')
