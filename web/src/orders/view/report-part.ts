import { lazyPart } from '#lib/parts/lazy-part.ts'

export const ReportPart = lazyPart(() => import('../decide/report-dialogs.tsx'), 'ReportDialog')
