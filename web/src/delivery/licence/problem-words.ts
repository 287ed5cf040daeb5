import type { Problem } from './read-licence.ts'

export function problemWords(problem: Problem, mustScan: boolean): string {
  const otherwise = mustScan ? 'press NOT HANDED OVER' : 'check the ID by hand'
  switch (problem) {
    case 'incomplete':
      return `The barcode was not read to its end. Scan it again, or ${otherwise}.`
    case 'no_licence':
      return 'This is not the barcode of a licence or ID card. Scan the wide one on its back.'
    case 'unknown_version':
      return `This kind of card cannot be read. Scan another ID, or ${otherwise}.`
    case 'contradictory':
      return `The dates on this card contradict each other. Scan another ID, or ${otherwise}.`
  }
}
