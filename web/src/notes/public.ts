import type { LazyPart } from '#lib/parts/lazy-part.ts'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import type { OrderPartProps } from '#orders/public.ts'

// One part in two places, since each lazy part adds to the first script.
const part = lazyPart(() => import('./notes-part.tsx'), 'NotesPart')
export const NotesPart = part as LazyPart<OrderPartProps>
export const ShiftNotes = part as LazyPart<{ timezone: string }>
