/** In the texts that the specification fixes. Looked for by its neighbours, so that other people's texts stay. */
const usual = /\bThirstie(?= (?:Support|Sales Associate)\b)/g

/** A text that names the product, by the name that the settings give it (GAP-56). */
export function namedAs(product: string, text: string): string {
  return text.replaceAll(usual, () => product)
}
