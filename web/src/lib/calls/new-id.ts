const idBytes = 16

/** Not `crypto.randomUUID`: browsers keep that from a page on plain http, as a shop's own network may serve it. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(idBytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
