import type { QueryClient } from '@tanstack/react-query'

/** Changes of one order wait for each other under this name. */
export function changeScope(orderId: string): string {
  return `order ${orderId}`
}

/** Waits for the server's answers to earlier presses on an order, because the screen is ahead of it. */
export function changesAnswered(queryClient: QueryClient, orderId: string): Promise<void> {
  const mutations = queryClient.getMutationCache()
  const scope = changeScope(orderId)
  const isAnswered = (): boolean =>
    mutations
      .findAll({ status: 'pending' })
      .every(({ options, state }) => options.scope?.id !== scope || state.isPaused)
  return new Promise((resolve) => {
    if (isAnswered()) return resolve()
    const leave = mutations.subscribe(() => {
      if (!isAnswered()) return
      leave()
      resolve()
    })
  })
}
