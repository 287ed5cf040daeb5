import { lazyPart } from '#lib/parts/lazy-part.ts'

export const DeliverDialog = lazyPart(async () => (await import('./deliver-dialog.tsx')).DeliverDialog)
export const CourierDialog = lazyPart(async () => (await import('./courier-dialog.tsx')).CourierDialog)
export const CourierDetailsDialog = lazyPart(
  async () => (await import('./courier-details-dialog.tsx')).CourierDetailsDialog,
)
export const InstructionsPart = lazyPart(
  async () => (await import('./instructions-part.tsx')).InstructionsPart,
)
export const DirectionsPart = lazyPart(async () => (await import('./directions-part.tsx')).DirectionsPart)
export const CourierPart = lazyPart(async () => (await import('./courier-part.tsx')).CourierPart)
