import { lazyPart } from '#lib/parts/lazy-part.ts'

export const DeliverDialog = lazyPart(() => import('./deliver-dialog.tsx'), 'DeliverDialog')
const courierDialogs = () => import('./courier-dialog.tsx')
export const CourierDialog = lazyPart(courierDialogs, 'CourierDialog')
export const CourierDetailsDialog = lazyPart(courierDialogs, 'CourierDetailsDialog')
const orderParts = () => import('./courier-part.tsx')
export const InstructionsPart = lazyPart(orderParts, 'InstructionsPart')
export const DirectionsPart = lazyPart(orderParts, 'DirectionsPart')
export const CourierPart = lazyPart(orderParts, 'CourierPart')
