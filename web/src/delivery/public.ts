import { lazyPart } from '#lib/parts/lazy-part.ts'

export const DeliverDialog = lazyPart(() => import('./deliver-dialog.tsx'), 'DeliverDialog')
export const CourierDialog = lazyPart(() => import('./courier-dialog.tsx'), 'CourierDialog')
export const CourierDetailsDialog = lazyPart(
  () => import('./courier-details-dialog.tsx'),
  'CourierDetailsDialog',
)
export const InstructionsPart = lazyPart(() => import('./instructions-part.tsx'), 'InstructionsPart')
export const DirectionsPart = lazyPart(() => import('./directions-part.tsx'), 'DirectionsPart')
export const CourierPart = lazyPart(() => import('./courier-part.tsx'), 'CourierPart')
