interface Button {
  readonly label: string
  readonly url: string
}

/** A mail's words, without the product's look. */
export interface Letter {
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  readonly button?: Button
  readonly more?: readonly Button[]
  /** Small print: why the mail came, and what to do if it should not have. */
  readonly footnote: string
}

const colours = {
  paper: '#faf9f7',
  card: '#ffffff',
  ink: '#1c1b1a',
  soft: '#6b6660',
  line: '#e6e2dc',
  wine: '#7b1e3a',
}
const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Tables and inline styles, because mail programs support little else. */
export function toHtml(letter: Letter, product: string): string {
  const paragraphs = [letter.greeting, ...letter.paragraphs]
    .map(
      (text) =>
        `<p style="margin:0 0 14px;font-size:15px;line-height:1.55;color:${colours.ink}">${escapeHtml(text)}</p>`,
    )
    .join('')
  const buttons = buttonsOf(letter).map(buttonHtml).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escapeHtml(letter.subject)}</title></head>
<body style="margin:0;background:${colours.paper};${font}"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:${colours.card};border:1px solid ${colours.line};border-radius:10px">
<tr><td style="padding:22px 28px;border-bottom:1px solid ${colours.line};font-size:16px;font-weight:700;color:${colours.wine}">${escapeHtml(product)}</td></tr>
<tr><td style="padding:26px 28px 12px"><h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;color:${colours.ink}">${escapeHtml(letter.subject)}</h1>${paragraphs}${buttons}</td></tr>
<tr><td style="padding:14px 28px 24px;font-size:13px;line-height:1.5;color:${colours.soft}">${escapeHtml(letter.footnote)}</td></tr>
</table></td></tr></table></body></html>`
}

function buttonsOf({ button, more = [] }: Letter): readonly Button[] {
  return button === undefined ? more : [button, ...more]
}

function buttonHtml({ label, url }: Button): string {
  const address = escapeHtml(url)
  return `<p style="margin:22px 0"><a href="${address}" style="display:inline-block;padding:12px 22px;border-radius:6px;background:${colours.wine};color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="margin:0 0 14px;font-size:13px;line-height:1.5;color:${colours.soft}">Or copy this address into your browser:<br><a href="${address}" style="color:${colours.wine};word-break:break-all">${address}</a></p>`
}

export function toPlainText(letter: Letter, product: string): string {
  const lines = [letter.greeting, ...letter.paragraphs]
  for (const { label, url } of buttonsOf(letter)) lines.push(`${label}:\n${url}`)
  return `${lines.join('\n\n')}\n\n-- \n${product}\n${letter.footnote}\n`
}
