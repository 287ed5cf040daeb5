import { lazyPart } from '#lib/lazy-part.ts'

export const TermsPage = lazyPart(async () => (await import('./terms-page.tsx')).TermsPage)
