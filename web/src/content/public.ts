import { lazyPart } from '#lib/lazy-part.ts'

export const TermsPage = lazyPart(async () => (await import('./terms-page.tsx')).TermsPage)
export const NewsBanner = lazyPart(async () => (await import('./news-banner.tsx')).NewsBanner)
