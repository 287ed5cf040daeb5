import { useState } from 'react'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Each field that still has its former value takes the newer one. */
function untouched<T extends object>(fields: T, former: T, newer: T): T {
  const names = Object.keys(newer) as (keyof T)[]
  return Object.fromEntries(
    names.map((name) => [name, isSame(fields[name], former[name]) ? newer[name] : fields[name]]),
  ) as T
}

export interface Followed<T extends object> {
  readonly fields: T
  readonly setFields: (next: (before: T) => T) => void
  /** After a save of `sent`, whose answer is `saved`: a text typed since the press stays. */
  readonly settle: (sent: T, saved: T) => void
}

/** The values of a form. What the person has not touched follows the saved ones, which a colleague may change meanwhile. */
export function useFollowed<T extends object>(saved: T, doesFollow = true): Followed<T> {
  const [{ fields, former, seen }, set] = useState({ fields: saved, former: saved, seen: saved })
  if (doesFollow && !isSame(saved, seen))
    set({ fields: untouched(fields, former, saved), former: saved, seen: saved })
  return {
    fields,
    setFields: (next) => set((before) => ({ ...before, fields: next(before.fields) })),
    // The saved values arrive a moment later, and are then held against what was sent.
    settle: (sent, next) =>
      set((before) => ({ ...before, fields: untouched(before.fields, sent, next), former: sent })),
  }
}
