import type { InfiniteData } from '@tanstack/react-query'
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { forgetVersions, replaceOrder, rowsOf } from './order-cache.ts'
import { paintAhead } from './paint-ahead.ts'
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
        last: orders.at(-1),
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

test('of two orders of one moment, the one with the higher number is newer', () => {
  const date_submitted = '2026-11-21T10:00:00Z'
  for (const [sort, wanted] of [
    ['desc', ['3', '2', '1']],
    ['asc', ['1', '2', '3']],
  ] as const) {
    const [first, last] = sort === 'desc' ? [3, 1] : [1, 3]
    const { queryClient, ids } = listsWith({
      [`active ${sort}`]: pages([order(first, { date_submitted }), order(last, { date_submitted })]),
      completed: pages([order(2, { date_submitted, status: 'CLOSED' })]),
    })
    replaceOrder(queryClient, order(2, { date_submitted, version: 2 }))
    expect(ids(`active ${sort}`)).toEqual(wanted)
  }
})

test('an older state never replaces a newer one', () => {
  const { queryClient } = listsWith({ active: pages([order(1, { version: 5, promo_code: 'NEW' })]) })
  replaceOrder(queryClient, order(1, { version: 4, promo_code: 'OLD' }))
  const data = queryClient.getQueryData<Pages>([listLine, 'demo', { tab: 'active', sort: undefined }])
  expect(data?.pages[0]?.items[0]?.promo_code).toBe('NEW')
})

test('a new order goes to its place in the sort', () => {
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
  // Whether that page's answer counts it, this list cannot know.
  expect(total('active')).toBe(2)
})

/** With a deadline in minutes after ten. */
function due(id: number, minute: number, part: Partial<Order> = {}): Order {
  const deadline_at = `2026-11-21T10:${minute}:00.000Z`
  return order(id, { on_track_status: { message: '', type: 'SLA0', deadline_at }, ...part })
}

test('of a list by due time, an order goes to its deadline, equal ones by number, and none beyond the loaded part', () => {
  const { queryClient, ids, total } = listsWith({
    'active due': pages([due(5, 20), due(2, 30), due(7, 30), due(1, 40)], '/next'),
  })
  replaceOrder(queryClient, due(6, 30))
  replaceOrder(queryClient, due(9, 10))
  replaceOrder(queryClient, due(8, 41))
  expect(ids('active due')).toEqual(['9', '5', '2', '6', '7', '1'])
  expect(total('active due')).toBe(6)
  // The last one has left; the next page still begins where it was.
  replaceOrder(queryClient, due(1, 40, { status: 'CANCELLED', version: 2 }))
  replaceOrder(queryClient, due(10, 39))
  expect(ids('active due')).toEqual(['9', '5', '2', '6', '7', '10'])
})

test('an order whose deadline becomes known or changes moves to its new place', () => {
  const { queryClient, ids, total } = listsWith({ 'active due': pages([due(1, 20), due(2, 30), due(3, 40)]) })
  replaceOrder(queryClient, due(1, 35, { version: 2 }))
  expect(ids('active due')).toEqual(['2', '1', '3'])
  replaceOrder(queryClient, order(1, { on_track_status: null, version: 3 }))
  expect(ids('active due')).toEqual(['2', '3', '1'])
  replaceOrder(queryClient, due(1, 10, { version: 4 }))
  expect(ids('active due')).toEqual(['1', '2', '3'])
  expect(total('active due')).toBe(3)
})

test('a row on two pages shows once', () => {
  const data = {
    pageParams: [],
    pages: [pages([order(3), order(2)]).pages[0], pages([order(2), order(1)]).pages[0]],
  } as unknown as Pages
  expect(rowsOf(data).map(({ id }) => id)).toEqual(['3', '2', '1'])
})

const keyOfActive = [listLine, 'demo', { tab: 'active', sort: undefined }]

/** An infinite list whose pages the test answers by hand. */
function listOfPages(queryClient: QueryClient, first: Pages) {
  const answers: ((page: LoadedPage) => void)[] = []
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: keyOfActive,
    queryFn: () => new Promise<LoadedPage>((resolve) => answers.push(resolve)),
    initialPageParam: '',
    getNextPageParam: (last: LoadedPage) => last.next_url ?? undefined,
    initialData: first,
    staleTime: Infinity,
    structuralSharing: false,
  })
  const stop = observer.subscribe(() => undefined)
  return { observer, stop, answer: (data: Pages) => answers.shift()?.(data.pages[0] as LoadedPage) }
}

test('LIST-036 LIST-041 GAP-82 an order that changes while a page is on its way keeps the change when the page arrives', async () => {
  const { queryClient, ids } = listsWith({})
  const { observer, stop, answer } = listOfPages(queryClient, pages([order(9), order(8), order(7)], '/next'))
  const loading = observer.fetchNextPage()
  replaceOrder(queryClient, order(9, { status: 'CANCELLED', version: 2 }))
  replaceOrder(queryClient, order(8, { promo_code: 'NEW', version: 2 }))
  replaceOrder(queryClient, order(10))
  // The answer was read before the cancellation.
  replaceOrder(queryClient, order(5, { status: 'CANCELLED', version: 2 }))
  answer(pages([order(6), order(5), order(4)], null))
  await loading
  expect(ids('active')).toEqual(['10', '8', '7', '6', '4'])
  const shown = rowsOf(queryClient.getQueryData<Pages>(keyOfActive) as Pages)
  expect(shown.find(({ id }) => id === '8')?.promo_code).toBe('NEW')
  stop()
})

test('an answer requested after a change is used as it is', async () => {
  const { queryClient, ids } = listsWith({})
  const { observer, stop, answer } = listOfPages(queryClient, pages([order(2), order(1)]))
  let loading = observer.refetch()
  replaceOrder(queryClient, order(2, { status: 'CANCELLED', version: 2 }))
  // The order went back before the server read the list.
  answer(pages([order(2, { version: 3 }), order(1)]))
  await loading
  expect(ids('active')).toEqual(['2', '1'])
  loading = observer.refetch()
  answer(pages([order(1)]))
  await loading
  expect(ids('active')).toEqual(['1'])
  stop()
})

test('LIST-041 a late, older answer returns no order to the tab that it left', () => {
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

test('LIST-041 a change shown ahead survives an answer requested before it, and can be taken back', () => {
  const { queryClient, ids } = listsWith({ active: pages([order(2), order(1)]), completed: pages([]) })
  const ship = (each: Order): Order => ({ ...each, status: 'MERCHANT_SHIPPED' })
  const takeBack = paintAhead(queryClient, order(1), ship)
  replaceOrder(queryClient, order(1))
  expect([ids('active'), ids('completed')]).toEqual([['2'], ['1']])
  takeBack()
  expect([ids('active'), ids('completed')]).toEqual([['2', '1'], []])
})

test('LIST-041 an order shown as gone from every list comes back when the change is refused', () => {
  const { queryClient, ids } = listsWith({ active: pages([order(2), order(1)]) })
  const takeBack = paintAhead(queryClient, order(1), (each) => ({ ...each, status: 'MERCHANT_SHIPPED' }))
  expect(ids('active')).toEqual(['2'])
  takeBack()
  expect(ids('active')).toEqual(['2', '1'])
})

test('a full reload may bring older versions than the known ones, as after a restore', () => {
  const { queryClient, ids } = listsWith({ active: pages([order(1)]), completed: pages([]) })
  replaceOrder(queryClient, order(1, { status: 'MERCHANT_SHIPPED', version: 9 }))
  queryClient.clear()
  queryClient.setQueryData([listLine, 'demo', { tab: 'active', sort: undefined }], pages([order(1)]))
  const stepBack = order(1, { status: 'MERCHANT_SHIPPED', version: 4 })
  replaceOrder(queryClient, stepBack)
  expect(ids('active')).toEqual(['1'])
  forgetVersions(queryClient)
  replaceOrder(queryClient, stepBack)
  expect(ids('active')).toEqual([])
})
