import { queryOptions } from '@tanstack/react-query'
import { call, type Reply } from '#lib/calls/call.ts'
import { sendOnce } from '#lib/calls/send-once.ts'
import type { ListView } from '../state/list-view.ts'

const line = 'GET /m/v2/merchant/{tmk}/views'
type SavedViews = Reply<typeof line>
export type SavedView = SavedViews['views'][number]

export function viewsQuery(tmk: string) {
  return queryOptions({
    queryKey: [line, tmk],
    queryFn: ({ signal }) => call(line, { params: { tmk } }, { signal }),
    staleTime: 0,
  })
}

interface NewView {
  name: string
  isShared: boolean
  replaces: boolean
}

export function saveView(
  tmk: string,
  view: ListView,
  { name, isShared, replaces }: NewView,
): Promise<SavedViews> {
  const body = { name, search: searchOf(view), is_shared: isShared, ...(replaces && { replaces }) }
  return sendOnce(`view ${tmk} ${JSON.stringify(body)}`, (once) =>
    call('POST /m/v2/merchant/{tmk}/views', { params: { tmk }, body }, once),
  )
}

export function renameView(tmk: string, view: string, name: string): Promise<SavedViews> {
  return sendOnce(`rename view ${tmk} ${view} ${name}`, (once) =>
    call('PUT /m/v2/merchant/{tmk}/views/{view}', { params: { tmk, view }, body: { name } }, once),
  )
}

export function removeView(tmk: string, view: string): Promise<SavedViews> {
  return sendOnce(`remove view ${tmk} ${view}`, (once) =>
    call('DELETE /m/v2/merchant/{tmk}/views/{view}', { params: { tmk, view } }, once),
  )
}

type Search = SavedView['search']

/** The active tab is due first without a word. */
function searchOf({ tab, sort, status, method, brand, needs_a_look: look, due, mine }: ListView): Search {
  return {
    tab,
    ...(sort && !(tab === 'active' && sort === 'due') && { sort }),
    ...(status && { status }),
    ...(method && { method }),
    ...(brand && { brand }),
    ...(look && { needs_a_look: '1' as const }),
    ...(due && { due }),
    ...(mine && { mine: 'yes' as const }),
  }
}

/** Two views of one list are the same, also when their addresses have the parts in another sequence. */
export function isShownBy(view: ListView, { search }: SavedView): boolean {
  const plain = (parts: Search) => JSON.stringify(Object.entries(parts).toSorted())
  return plain(searchOf(view)) === plain(search)
}
