import { messages } from '@cellarhand/contract/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#lib/call.ts'
import { toast } from '#ui/toasts.tsx'
import { downloadDetails } from './download-details.ts'
import { findListed } from './order-cache.ts'
import type { Order } from './queries.ts'
import type { Selected } from './selection.ts'

const AT_ONCE = 6

/** The details of a selection as one file. Orders that no list has loaded are fetched first. */
export function useSelectedDetails(): { isBusy: boolean; download: (selected: readonly Selected[]) => void } {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const collect = async (selected: readonly Selected[]): Promise<void> => {
    const orders: (Order | undefined)[] = selected.map(({ id }) => findListed(queryClient, id))
    const missing = orders.flatMap((order, index) => (order ? [] : [index]))
    const fetchNext = async (): Promise<void> => {
      for (let index = missing.pop(); index !== undefined; index = missing.pop()) {
        const id = selected[index]?.id ?? ''
        orders[index] = await call('GET /m/v2/orders/{id}', { params: { id } }).catch(() => undefined)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, fetchNext))
    const found = orders.filter((order) => order !== undefined)
    if (found.length === 0) return toast('error', messages.bulkDetailsAllFailed)
    if (found.length < orders.length) toast('error', messages.bulkDetailsSomeFailed)
    await downloadDetails(found)
  }
  return {
    isBusy,
    download(selected) {
      setBusy(true)
      void collect(selected).finally(() => setBusy(false))
    },
  }
}
