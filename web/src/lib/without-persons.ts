/** E-mail addresses and long numbers may have come into a message with what somebody typed. */
export function withoutPersons(text: string): string {
  return text
    .replaceAll(/[^\s@"'<>()]+@[^\s@"'<>()]+/g, '<email>')
    .replaceAll(/\+?\d[\d\s().-]{6,}\d/g, '<number>')
}
