import { lazyPart } from '#lib/parts/lazy-part.ts'

// In a separate file: in public.ts, this code would bring everything that it names into the first script.
export const ReviewDialog = lazyPart(() => import('./review-dialog.tsx'), 'ReviewDialog')
