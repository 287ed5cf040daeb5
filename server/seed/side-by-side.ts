/** Does the work for each item, a few at a time, starting them in order. The first failure ends it. */
export async function sideBySide<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries()
  async function take(): Promise<void> {
    for (const [index, item] of waiting) await work(item, index)
  }
  await Promise.all(Array.from({ length: atOnce }, take))
}
