import { messages } from './messages.ts'

const usual = 'Thirstie'
const namingTexts: ReadonlySet<unknown> = new Set(
  Object.values(messages).filter((text) => typeof text === 'string' && text.includes(usual)),
)

/** A text of ours that names the product, by the name that the settings give it (GAP-56). Other people's texts stay. */
export function namedAs(product: string, text: string): string {
  return namingTexts.has(text) ? text.replaceAll(usual, product) : text
}
