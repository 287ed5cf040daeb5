const idBytes = 16

/** Not `crypto.randomUUID`: browsers hide it from a page on plain http, such as a shop serves on its own network. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(idBytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
