import type { ReactNode } from 'react'
import { createStore } from '#lib/kept/store.ts'

/** What the page shows of a cut line and the decisions that wait for it; it comes with the part that reads the stream. */
export const offlinePart = createStore<ReactNode>(null)
