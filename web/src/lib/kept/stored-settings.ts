import type { Store } from './store.ts'
import { createStore } from './store.ts'

export interface StoredSettings<T> extends Store<T> {
  change: (part: Partial<T>) => void
}

/** Settings of this browser; all its tabs follow a change at once. */
export function createStoredSettings<T extends object>(key: string, standard: T): StoredSettings<T> {
  const load = (): T => {
    try {
      return { ...standard, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<T>) }
    } catch {
      return standard
    }
  }
  const store = createStore<T>(load())
  addEventListener('storage', (event) => {
    if (event.key === key) store.set(load())
  })
  return {
    ...store,
    change(part) {
      store.set({ ...store.get(), ...part })
      try {
        localStorage.setItem(key, JSON.stringify(store.get()))
      } catch {
        // Without room to store them, the settings last as long as the page is open.
      }
    },
  }
}
