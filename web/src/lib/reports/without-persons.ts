/** The beginning of a text. E-mail addresses and long numbers may have come into it with what somebody typed. */
export function withoutPersons(text: string, most: number): string {
  return beginningOf(text, most)
    .replaceAll(/[^\s@"'<>()]+(@[^\s@"'<>()]+)?/g, (word, domain) => (domain ? '<email>' : word))
    .replaceAll(/\+?\d[\d\s().-]{6,}\d/g, '<number>')
    .slice(0, most)
}

/** Cut between two words, since half an e-mail address is not seen to be one. */
function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const end = Math.max(text.lastIndexOf(' ', most), text.lastIndexOf('\n', most))
  return text.slice(0, end === -1 ? most : end)
}
