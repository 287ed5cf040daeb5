import { formatDollars } from '@cellarhand/contract/money'
import type { Substitute } from '@cellarhand/contract/substitute-fields'
import { escapeHtml } from '#platform/mail/letter.ts'
import { noSubstitute } from './commands/answer-offer.ts'
import { endWords } from './end-words.ts'
import type { CustomersOffer } from './reads.ts'
import { differenceWords, piecesWords, silencePromise, timeWords } from './words.ts'

export const pageStyle = `:root {
  color-scheme: light dark;
  font: 16px/1.5 system-ui, sans-serif;
  --paper: light-dark(#faf9f7, #161514);
  --card: light-dark(#ffffff, #1e1c1b);
  --ink: light-dark(#1c1b1a, #f1eeea);
  --soft: light-dark(#635e58, #a9a39b);
  --line: light-dark(#e6e2dc, #34312e);
  --field: light-dark(#8c857c, #77716a);
  --accent: light-dark(#7b1e3a, #e38aa3);
  --on-accent: light-dark(#ffffff, #1e1c1b);
  --tint: light-dark(#f8eef1, #3a1f28);
  --red: light-dark(#a61b1b, #f29a95);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); }
main { max-width: 34rem; margin: 0 auto; padding: 24px 16px 40px; }
.shop { margin: 0 0 20px; font-weight: 700; color: var(--accent); overflow-wrap: anywhere; }
h1 { margin: 0 0 8px; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
fieldset { margin: 20px 0; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; margin-bottom: 8px; font-weight: 600; }
label { display: flex; gap: 12px; align-items: flex-start; min-height: 44px; margin-bottom: 8px; padding: 12px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; cursor: pointer; }
label:has(:checked) { border-color: var(--accent); background: var(--tint); }
label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
input { flex: none; width: 20px; height: 20px; margin: 2px 0 0; accent-color: var(--accent); }
label > span { min-width: 0; overflow-wrap: anywhere; }
b { display: block; }
button { width: 100%; min-height: 48px; padding: 0 20px; border: 0; border-radius: 6px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
button + p, form + p { margin-top: 16px; }
.problem { color: var(--red); font-weight: 600; }
.card { padding: 16px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.card > :last-child { margin: 0; }
`

interface Frame {
  readonly shop: string
  readonly title: string
  readonly body: string
}

/** No script and no style of its own, so the page obeys the dashboard's content security policy. */
function frame({ shop, title, body }: Frame): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · ${escapeHtml(shop)}</title><link rel="stylesheet" href="/substitutes/page.css"></head>
<body><main><p class="shop">${escapeHtml(shop)}</p><h1>${escapeHtml(title)}</h1>
${body}</main></body></html>`
}

function paragraph(text: string, kind = ''): string {
  return `<p${kind === '' ? '' : ` class="${kind}"`}>${escapeHtml(text)}</p>`
}

/** A page of plain words, for a link that leads to no question. */
export function messagePage({ shop, title, text }: { shop: string; title: string; text: string }): string {
  return frame({ shop, title, body: `<div class="card">${paragraph(text)}</div>` })
}

interface Shown {
  readonly found: CustomersOffer
  readonly address: string
  readonly nowMs: number
  /** The form came without a choice. */
  readonly lacksChoice: boolean
}

export function offerPage({ found, address, nowMs, lacksChoice }: Shown): string {
  const { shop, state } = found
  if (state === 'offered') return questionPage({ found, address, nowMs, lacksChoice })
  const { title, text } = endWords(found, nowMs)
  return messagePage({ shop, title, text: `Order #${found.orderId}: ${text}` })
}

function questionPage({ found, address, nowMs, lacksChoice }: Shown): string {
  const { shop, orderId, offer, timezone } = found
  const until = timeWords(offer.until, { timezone, nowMs })
  const problem = lacksChoice
    ? '<p class="problem" role="alert" id="problem">Please choose one of these, then press Send my answer.</p>'
    : ''
  const refund = option(noSubstitute, 'No other bottle', `You get the money for ${piecesWords(offer)} back.`)
  return frame({
    shop,
    title: 'Another bottle, or your money back?',
    body: `${paragraph(`${piecesWords(offer)} of your order #${orderId} ${offer.missing === 1 ? 'is' : 'are'} out of stock.`)}
${paragraph(`Please answer by ${until}. Without an answer ${silencePromise(offer)}.`, 'soft')}
<form method="post" action="${escapeHtml(address)}">${problem}
<fieldset${lacksChoice ? ' aria-describedby="problem"' : ''}><legend>What would you like instead?</legend>
${offer.offered.map((each) => optionOf(each, offer.missing)).join('\n')}
${refund}</fieldset>
<button type="submit">Send my answer</button></form>
${paragraph('Taxes follow the new price. The place where you ordered charges or refunds the difference.', 'soft')}`,
  })
}

function optionOf({ offering_id: id, line, price, difference }: Substitute, missing: number): string {
  const size = line.product?.container_size
  const facts = [size, `${formatDollars(price)} each`, differenceWords(difference)].filter(Boolean).join(', ')
  return option(id, `${missing} × ${line.name}`, facts)
}

function option(value: string, name: string, facts: string): string {
  return `<label><input type="radio" name="choice" value="${escapeHtml(value)}" required><span><b>${escapeHtml(name)}</b><span class="soft">${escapeHtml(facts)}</span></span></label>`
}
