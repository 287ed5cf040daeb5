import type { ReactNode } from 'react'
import { createStore } from '#lib/kept/store.ts'

/** The mark of an order that has notes, by its number; it comes with the part that reads the stream. */
export const noteMark = createStore<(id: string) => ReactNode>(() => null)
