import { backgroundPart, lazyPart } from '#lib/parts/lazy-part.ts'

export const TermsPage = lazyPart(async () => (await import('./terms-page.tsx')).TermsPage)
export const NewsBanner = backgroundPart(async () => (await import('./news-banner.tsx')).NewsBanner)
