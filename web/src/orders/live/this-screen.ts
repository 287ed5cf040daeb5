import { newId } from '#lib/calls/new-id.ts'

/** Names this page, because one person may have two pages open. */
export const thisScreen = newId()
