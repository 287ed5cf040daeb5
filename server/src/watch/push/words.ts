/** What a device shows, and the page that it opens. Nothing of a customer: numbers, times and counts alone. */
export interface PushWords {
  readonly title: string
  readonly body: string
  readonly path: string
}

export interface DueOrder {
  readonly order_id: string
  readonly kind: string
  readonly deadline_at: Date
}

export function unwatchedWords(waiting: string): PushWords {
  return { title: waiting, body: 'No screen of the store is watching.', path: '/orders' }
}

/** The orders whose alarms rise together; one alone by its number. */
export function dueWords(orders: readonly DueOrder[], timezone: string): PushWords {
  const [only] = orders
  if (only !== undefined && orders.length === 1) {
    const isLate = only.kind === 'late'
    const at = only.deadline_at.toLocaleTimeString('en-US', {
      hour: 'numeric',
      minute: '2-digit',
      timeZone: timezone,
    })
    return {
      title: `Order ${only.order_id} is ${isLate ? 'late' : 'nearly late'}`,
      body: `It ${isLate ? 'was' : 'is'} due at ${at}.`,
      path: `/orders/view/${only.order_id}`,
    }
  }
  const late = orders.filter(({ kind }) => kind === 'late').length
  const counts = [late > 0 && `${late} late`, late < orders.length && `${orders.length - late} nearly late`]
  return {
    title: `Orders are due: ${counts.filter(Boolean).join(', ')}`,
    body: 'The list shows the first one on top.',
    path: '/orders',
  }
}
