import { lazyPart } from '#lib/parts/lazy-part.ts'

// In a file of its own: code in public.ts would bring everything that it names into the first script.
export const ReviewDialog = lazyPart(async () => (await import('./review-dialog.tsx')).ReviewDialog)
