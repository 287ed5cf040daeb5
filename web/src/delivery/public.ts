import { lazyPart } from '#lib/lazy-part.ts'

export const DeliverDialog = lazyPart(async () => (await import('./deliver-dialog.tsx')).DeliverDialog)
