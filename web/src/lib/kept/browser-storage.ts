const inPage = new Map<string, string>()

/** The browser's storage. Where that is full or blocked, the page itself keeps the value for as long as it is open. */
export const kept = {
  get(key: string): string | null {
    try {
      return inPage.get(key) ?? localStorage.getItem(key)
    } catch {
      return inPage.get(key) ?? null
    }
  },
  set(key: string, value: string): void {
    inPage.delete(key)
    try {
      localStorage.setItem(key, value)
    } catch {
      inPage.set(key, value)
    }
  },
  remove(key: string): void {
    inPage.delete(key)
    try {
      localStorage.removeItem(key)
    } catch {
      // A blocked storage holds nothing.
    }
  },
}
