/**
 * What an outside service said, as the database can keep it and a person can read it in one look. A text that the
 * database refuses would leave the work unsettled that it was said about.
 */
export function plainWords(text: string, most: number): string {
  return text
    .slice(0, most)
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
}
