import { messages } from '@cellarhand/contract/messages'
import { useEffect, useRef, useState } from 'react'
import { call, follow } from '#lib/calls/call.ts'
import { merchantKey } from '#sign-in/public.ts'
import { takeBackFailure, tellFailure } from '#ui/notes/toasts.tsx'
import type { ListView } from '../state/list-view.ts'
import { toFilterQuery } from '../state/list-view.ts'
import type { OrderPage } from '../state/queries.ts'
import { listLine } from '../state/queries.ts'
import { select } from '../state/selection.ts'

const LARGEST_PAGE = 100
const action = 'select all'

interface SelectAll {
  /** Counts along; null while nothing runs. */
  readonly found: number | null
  /** The whole view was walked through. */
  readonly isDone: boolean
  readonly start: () => void
  readonly stop: () => void
}

/** Walks through a whole view and selects it. */
export function useSelectAll(view: ListView): SelectAll {
  const [found, setFound] = useState<number | null>(null)
  const [walked, setWalked] = useState('')
  const running = useRef<AbortController | null>(null)
  const stop = (): void => {
    running.current?.abort()
    running.current = null
    setFound(null)
  }
  // A clerk who has moved to another view does not want a selection made behind their back.
  const key = JSON.stringify(view)
  useEffect(() => () => running.current?.abort(), [key])

  const start = (): void => {
    stop()
    const controller = new AbortController()
    running.current = controller
    setFound(0)
    takeBackFailure(action)
    const done = (): void => {
      if (!controller.signal.aborted) setWalked(key)
      stop()
    }
    walk(view, controller.signal, setFound).then(done, () => {
      if (controller.signal.aborted) return setFound(null)
      stop()
      tellFailure(action, messages.ordersFetchFailed)
    })
  }
  return { found, isDone: walked === key, start, stop }
}

async function walk(view: ListView, signal: AbortSignal, onFound: (count: number) => void): Promise<void> {
  const query = { limit: LARGEST_PAGE, offset: 0, ...toFilterQuery(view) }
  let found = 0
  let page: OrderPage = await call(listLine, { params: { tmk: merchantKey() }, query }, { signal })
  for (;;) {
    if (signal.aborted) return
    select(page.items, true)
    found += page.items.length
    onFound(found)
    if (page.next_url === null) return
    page = await follow<typeof listLine>(page.next_url, { signal })
  }
}
