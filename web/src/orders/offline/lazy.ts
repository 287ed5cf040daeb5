import { paintedPart } from '#lib/parts/lazy-part.ts'

const part = () => import('./offline-desk.tsx')

export const OfflineDesk = paintedPart(part, 'OfflineDesk')

/** For a page that no server gave. */
export { part as keptDesk }
