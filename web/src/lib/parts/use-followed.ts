import { useState } from 'react'

/** Of values that are sent as JSON. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

interface Options<T> {
  /** Whether fields that nobody has touched take a colleague's change. */
  readonly follows?: boolean
  /** The values as they would be sent, by the names of the fields. A text that would not be sent is no change. */
  readonly sentOf?: (fields: T) => Readonly<Record<keyof T, unknown>>
}

export interface Followed<T extends object> {
  readonly fields: T
  readonly setFields: (next: (before: T) => T) => void
  /** After a save of `sent`, whose answer is `saved`: a text typed since the press stays. */
  readonly settle: (sent: T, saved: T) => void
}

/** The values of a form. Those that the person has not touched follow the saved ones. */
export function useFollowed<T extends object>(
  saved: T,
  { follows = true, sentOf = (fields) => fields }: Options<T> = {},
): Followed<T> {
  const [{ fields, former, seen }, set] = useState({ fields: saved, former: saved, seen: saved })
  const untouched = (now: T, before: T, newer: T): T => {
    const [sentNow, sentBefore] = [sentOf(now), sentOf(before)]
    const names = Object.keys(newer) as (keyof T)[]
    return Object.fromEntries(
      names.map((name) => [name, isSame(sentNow[name], sentBefore[name]) ? newer[name] : now[name]]),
    ) as T
  }
  if (follows && !isSame(saved, seen))
    set({ fields: untouched(fields, former, saved), former: saved, seen: saved })
  return {
    fields,
    setFields: (next) => set((before) => ({ ...before, fields: next(before.fields) })),
    settle: (sent, next) =>
      set((before) => ({ ...before, fields: untouched(before.fields, sent, next), former: next })),
  }
}
