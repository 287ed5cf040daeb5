import type { ScreenKind } from '@cellarhand/contract/watch'
import { createStore } from '#lib/kept/store.ts'

/** Whether this page is a desk or a screen on the wall. */
export const screenKind = createStore<ScreenKind>('desk')
