import { config } from '#lib/calls/config.ts'

const word = 'Support'

/** Why no label was bought; where the words send the clerk to Support, a press writes the mail. */
export function LabelProblem({ text, orderId }: { text: string; orderId: string }) {
  const at = config.supportEmail === '' ? -1 : text.lastIndexOf(word)
  if (at === -1) return text
  const subject = encodeURIComponent(`Shipping label of order #${orderId}`)
  return (
    <>
      {text.slice(0, at)}
      <a href={`mailto:${config.supportEmail}?subject=${subject}`}>{word}</a>
      {text.slice(at + word.length)}
    </>
  )
}
