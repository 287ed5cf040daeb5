import type { OrderPartProps } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { NotesCard } from './notes-card.tsx'

/** The shop's own notes on an order, or without one what a shift tells the next. */
export function NotesPart({ order, timezone }: Partial<OrderPartProps> & { timezone: string }) {
  const title = order ? 'Notes' : 'Notes for the next shift'
  return <NotesCard title={title} subject={{ tmk: merchantKey(), id: order?.id }} timezone={timezone} />
}
