/** A text that is no message, such as a name, as one paragraph without its line breaks. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
