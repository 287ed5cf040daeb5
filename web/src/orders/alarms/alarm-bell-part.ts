import { paintedPart } from '#lib/parts/lazy-part.ts'

export const AlarmBell = paintedPart(() => import('./alarm-bell.tsx'), 'AlarmBell')
