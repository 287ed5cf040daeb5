import { backgroundPart, lazyPart } from '#lib/parts/lazy-part.ts'

export const TermsPage = lazyPart(() => import('./terms-page.tsx'), 'TermsPage')
export const NewsBanner = backgroundPart(() => import('./news-banner.tsx'), 'NewsBanner')
