/**
 * The beginning of a text, without parts that may name a person: e-mail addresses, long numbers, an address's query.
 * Strangers send texts of any length, so the rest is cut off before the search for such parts.
 */
export function withoutPersons(text: string, most: number): string {
  return beginningOf(text, most)
    .replaceAll(/[^\s@"'<>()]+(@[^\s@"'<>()]+)?/g, (word, domain) => (domain ? '<email>' : word))
    .replaceAll(/\?[^\s'")]+/g, '?…')
    .replaceAll(/\+?\d[\d\s().-]{6,}\d/g, '<number>')
    .slice(0, most)
}

/** Cuts between two words: half an e-mail address does not look like one. */
function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const end = Math.max(text.lastIndexOf(' ', most), text.lastIndexOf('\n', most))
  return text.slice(0, end === -1 ? most : end)
}
