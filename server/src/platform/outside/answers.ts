// A provider's answer may be of any form, and its texts may hold anything. These functions take the documented form, and
// anything else as if it were missing.

const longestText = 2_000

/** The fields of an answer or of a part of it; none where it is no object. */
export function fieldsOf(answer: unknown): Readonly<Record<string, unknown>> {
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer)
    ? (answer as Readonly<Record<string, unknown>>)
    : {}
}

/** A name or code that the database can store, and that is no longer than an address. */
export function textOf(text: unknown): string | undefined {
  return typeof text === 'string' && text !== '' && text.length <= longestText && !/\p{Cc}|\p{Cs}/u.test(text)
    ? text
    : undefined
}

/** A link for a person may lead only to a web page. */
export function httpsOnly(url: unknown): string | undefined {
  return typeof url === 'string' && url.startsWith('https://') && URL.canParse(url) ? textOf(url) : undefined
}

/** What a table says of a name from outside. Names such as `constructor` are in every table without being its own. */
export function entryOf<V>(table: Readonly<Record<string, V>>, name: unknown): V | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined
}
