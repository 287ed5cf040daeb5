import { queryOptions } from '@tanstack/react-query'
import type { Reply } from '#lib/calls/call.ts'
import { painted } from '#lib/parts/after-paint.ts'
import { call } from '#lib/calls/call.ts'
import type { Once } from '#lib/calls/send-once.ts'
import { sendOnce } from '#lib/calls/send-once.ts'

const orderLine = 'GET /m/v2/merchant/{tmk}/orders/{id}/notes'
const shiftLine = 'GET /m/v2/merchant/{tmk}/notes'

export type Notes = Reply<typeof orderLine>
export type Note = Notes['notes'][number]

/** What the notes are about: one order, or without a number the store and its shifts. */
export interface Subject {
  tmk: string
  id: string | undefined
}

/** The event stream says when they have changed. */
export function notesQuery({ tmk, id }: Subject) {
  return queryOptions({
    queryKey: id === undefined ? [shiftLine, tmk] : [orderLine, tmk, id],
    queryFn: async ({ signal }): Promise<Notes> => {
      await painted()
      return id === undefined
        ? call(shiftLine, { params: { tmk } }, { signal })
        : call(orderLine, { params: { tmk, id } }, { signal })
    },
  })
}

/** A second try after a lost answer adds no second note. */
export function addNote({ tmk, id }: Subject, text: string): Promise<Notes> {
  const add = (once: Once): Promise<Notes> =>
    id === undefined
      ? call('POST /m/v2/merchant/{tmk}/notes', { params: { tmk }, body: { text } }, once)
      : call('POST /m/v2/merchant/{tmk}/orders/{id}/notes', { params: { tmk, id }, body: { text } }, once)
  return sendOnce(`note ${tmk} ${id} ${text}`, add)
}

export function deleteNote({ tmk, id }: Subject, note: string): Promise<Notes> {
  const remove = (once: Once): Promise<Notes> =>
    id === undefined
      ? call('DELETE /m/v2/merchant/{tmk}/notes/{note}', { params: { tmk, note } }, once)
      : call('DELETE /m/v2/merchant/{tmk}/orders/{id}/notes/{note}', { params: { tmk, id, note } }, once)
  return sendOnce(`delete note ${tmk} ${id} ${note}`, remove)
}
