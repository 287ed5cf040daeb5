import type { Telling } from '@cellarhand/contract/watch'

/** How a person is told that nobody watches. */
export const wayLabels: Record<Telling['by'], string> = { mail: 'E-mail', text: 'Text message' }
