/** Takes out of a text what may name a person: e-mail addresses, long numbers, and what stood in an address's query. */
export function withoutPersons(text: string): string {
  return text
    .replaceAll(/[^\s@"'<>()]+@[^\s@"'<>()]+/g, '<email>')
    .replaceAll(/\?[^\s'")]+/g, '?…')
    .replaceAll(/\+?\d[\d\s().-]{6,}\d/g, '<number>')
}
