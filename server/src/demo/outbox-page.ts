import type { OutgoingMessage } from '@cellarhand/contract/demo'
import { escapeHtml } from '#platform/mail/letter.ts'
import { linkPattern } from './reads.ts'

export const outboxStyle = `:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
article { margin: 1.5rem 0; padding: 1rem 1.25rem; border: 1px solid light-dark(#e6e2dc, #45403b); border-radius: 10px; }
h1 { font-size: 1.4rem; }
h2 { margin: 0 0 0.25rem; font-size: 1.1rem; }
p { margin: 0.25rem 0; }
article > p { color: light-dark(#6b6660, #b0a9a1); }
pre { margin: 1rem 0 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
form { margin-top: 0.75rem; }
button { min-height: 2rem; padding: 0 0.75rem; font: inherit; }
a { color: light-dark(#7b1e3a, #f0a3b8); }
`

/** Escapes the text, and makes its addresses links. */
function withLinks(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(linkPattern)) {
    const address = escapeHtml(match[0])
    html += `${escapeHtml(text.slice(end, match.index))}<a href="${address}">${address}</a>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(text.slice(end))
}

/** A form for the phone owner's reply; plain HTML, because no script runs on the page. */
function replyForm(number: string): string {
  const button = (word: string) => `<button name="body" value="${word}">${word}</button>`
  return `<form method="post" action="/demo/text_replies"><input type="hidden" name="number" value="${escapeHtml(number)}">Answer as this phone: ${button('STOP')} ${button('START')}</form>`
}

function toArticle({ kind, to, subject, text, created_at }: OutgoingMessage): string {
  return `<article><h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to)}, <time datetime="${created_at}">${created_at.slice(0, 16).replace('T', ' ')} UTC</time></p>
<pre>${withLinks(text)}</pre>${kind === 'text_message' ? replyForm(to) : ''}</article>`
}

/** The page has no script and no style of its own, so it obeys the dashboard's content security policy. */
export function outboxPage(messages: readonly OutgoingMessage[], product: string): string {
  const list =
    messages.length === 0
      ? '<p>Nothing was sent yet. Ask for a new password, or invite a colleague.</p>'
      : messages.map(toArticle).join('\n')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Outbox of the demo</title><link rel="stylesheet" href="/demo/outbox.css"></head>
<body><main><h1>Outbox of the ${escapeHtml(product)} demo</h1>
<p>In the demo no mail leaves this computer. What would have been sent is here, the newest first.</p>
${list}</main></body></html>`
}
