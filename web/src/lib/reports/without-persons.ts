/** The beginning of a text, without e-mail addresses and long numbers that somebody may have typed into it. */
export function withoutPersons(text: string, most: number): string {
  return beginningOf(text, most)
    .replaceAll(/[^\s@"'<>()]+(@[^\s@"'<>()]+)?/g, (word, domain) => (domain ? '<email>' : word))
    .replaceAll(/\+?\d[\d\s().-]{6,}\d/g, '<number>')
    .slice(0, most)
}

/** Cuts between two words: half an e-mail address does not look like one. */
function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const end = Math.max(text.lastIndexOf(' ', most), text.lastIndexOf('\n', most))
  return text.slice(0, end === -1 ? most : end)
}
