import type { QueryClient } from '@tanstack/react-query'
import { shown } from '../state/shown.ts'
import { nextOnceKnown, sayNoneLeft } from './next-orders.ts'

interface Decided {
  queryClient: QueryClient
  id: string
  /** Opens the view of an order. */
  open: (id: string) => void
}

/** The second press of a double click was meant for the dialog before, and not for the one in its place. */
function dropDoubleClick(): void {
  const end = new AbortController()
  const listening = { capture: true, signal: end.signal }
  const drop = (event: MouseEvent): void => {
    if (event.detail < 2) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('click', drop, listening)
  addEventListener('mousedown', ({ detail }) => detail < 2 && end.abort(), listening)
}

/** After a decision: on the list the dialog of the next one, in the order view the next order. */
export async function goOn({ queryClient, id, open }: Decided): Promise<void> {
  const next = await nextOnceKnown(queryClient, 'decide', id)
  if (next === undefined) sayNoneLeft('decide')
  else {
    dropDoubleClick()
    if (shown.decide) shown.decide(next)
    else open(next)
  }
}
