import type { InfiniteData } from '@tanstack/react-query'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { paintAhead, replaceOrder, rowsOf } from './order-cache.ts'
import type { LoadedPage, Order } from './queries.ts'
import { listLine } from './queries.ts'

type Pages = InfiniteData<LoadedPage>

function order(id: number, part: Partial<Order> = {}): Order {
  return {
    id: String(id),
    thirstie_logistic_order_ref: `ref-${id}`,
    status: 'SUBMITTED',
    version: 1,
    date_submitted: `2026-11-21T10:${String(id).padStart(2, '0')}:00Z`,
    delivery: { method: 'shipped', date: null, window: null },
    ...part,
  } as Order
}

function pages(orders: Order[], next_url: string | null = null): Pages {
  return {
    pageParams: [''],
    pages: [
      {
        items: orders,
        total_rows: orders.length,
        received: orders.length,
        next_url,
      } as unknown as LoadedPage,
    ],
  }
}

function listsWith(lists: Record<string, Pages>) {
  const queryClient = new QueryClient()
  const keyOf = (name: string): unknown[] => {
    const [tab, sort] = name.split(' ')
    return [listLine, 'demo', { tab, sort }]
  }
  for (const [name, data] of Object.entries(lists)) queryClient.setQueryData(keyOf(name), data)
  const ids = (name: string) =>
    rowsOf(queryClient.getQueryData<Pages>(keyOf(name)) as Pages).map(({ id }) => id)
  const total = (name: string) => queryClient.getQueryData<Pages>(keyOf(name))?.pages[0]?.total_rows
  return { queryClient, ids, total }
}

test('an order that left the tab leaves its list and joins the other', () => {
  const { queryClient, ids, total } = listsWith({
    active: pages([order(3), order(2), order(1)]),
    completed: pages([order(0)]),
  })
  replaceOrder(queryClient, order(2, { status: 'MERCHANT_SHIPPED', version: 2 }))
  expect(ids('active')).toEqual(['3', '1'])
  expect(ids('completed')).toEqual(['2', '0'])
  expect(total('active')).toBe(2)
})

test('an older state never replaces a newer one', () => {
  const { queryClient } = listsWith({ active: pages([order(1, { version: 5, promo_code: 'NEW' })]) })
  replaceOrder(queryClient, order(1, { version: 4, promo_code: 'OLD' }))
  const data = queryClient.getQueryData<Pages>([listLine, 'demo', { tab: 'active', sort: undefined }])
  expect(data?.pages[0]?.items[0]?.promo_code).toBe('NEW')
})

test('a new order stands where the sort puts it', () => {
  const { queryClient, ids } = listsWith({
    active: pages([order(3), order(1)]),
    'active asc': pages([order(1), order(3)]),
  })
  replaceOrder(queryClient, order(2))
  expect(ids('active')).toEqual(['3', '2', '1'])
  expect(ids('active asc')).toEqual(['1', '2', '3'])
})

test('an order beyond the loaded part waits for its page', () => {
  const { queryClient, ids, total } = listsWith({ active: pages([order(9), order(8)], '/next') })
  replaceOrder(queryClient, order(1))
  expect(ids('active')).toEqual(['9', '8'])
  expect(total('active')).toBe(3)
})

test('a row that two pages brought is shown once', () => {
  const data = {
    pageParams: [],
    pages: [pages([order(3), order(2)]).pages[0], pages([order(2), order(1)]).pages[0]],
  } as unknown as Pages
  expect(rowsOf(data).map(({ id }) => id)).toEqual(['3', '2', '1'])
})

test('LIST-041 an older answer that comes late puts no order back into the tab that it left', () => {
  const { queryClient, ids } = listsWith({
    active: pages([order(3), order(2), order(1)]),
    completed: pages([order(0)]),
  })
  replaceOrder(queryClient, order(2, { status: 'CANCELLED', version: 3 }))
  replaceOrder(queryClient, order(2, { status: 'MERCHANT_ACCEPTED', version: 2 }))
  expect(ids('active')).toEqual(['3', '1'])

  replaceOrder(queryClient, order(1, { status: 'MERCHANT_ACCEPTED', version: 3 }))
  replaceOrder(queryClient, order(1, { status: 'MERCHANT_SHIPPED', version: 2 }))
  expect(ids('active')).toEqual(['3', '1'])
  expect(ids('completed')).toEqual(['0'])
})

test('LIST-041 what was painted ahead stays in sight of an answer asked for before, and can be taken back', () => {
  const { queryClient, ids } = listsWith({ active: pages([order(2), order(1)]), completed: pages([]) })
  const ship = (each: Order): Order => ({ ...each, status: 'MERCHANT_SHIPPED' })
  const takeBack = paintAhead(queryClient, order(1), ship)
  replaceOrder(queryClient, order(1))
  expect([ids('active'), ids('completed')]).toEqual([['2'], ['1']])
  takeBack()
  expect([ids('active'), ids('completed')]).toEqual([['2', '1'], []])
})
