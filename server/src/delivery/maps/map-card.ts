export interface MapAsk {
  readonly address: string
  readonly zoom: number
  readonly width: number
  readonly height: number
}

const ground = '#eef0ea'
const street = '#ffffff'
const park = '#d7e6cf'
const water = '#cfe0ec'
const house = '#e2e1d9'
const ink = '#1c1b1a'
const accent = '#7b1e3a'

/** The same address always gets the same neighbourhood. */
function numbersFrom(seed: string): () => number {
  let state = 2_166_136_261
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619)
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519)
    state = Math.imul(state ^ (state >>> 13), 3_266_489_917)
    return ((state ^ (state >>> 16)) >>> 0) / 4_294_967_296
  }
}

/** Drops characters that XML 1.0 cannot hold, and escapes the rest. */
function xmlText(text: string): string {
  return text
    .replaceAll(/[^\t\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const lineLength = 42
const mostLines = 3

/** The street on the first line, and the rest of the address below it. */
function cardLines(address: string): string[] {
  const parts = address.split(',').map((part) => part.trim())
  const [first = '', ...rest] = parts.filter((part) => part !== '')
  const lines = [first]
  for (const part of rest) {
    const last = lines.at(-1) ?? ''
    if (lines.length > 1 && last.length + part.length + 2 <= lineLength)
      lines[lines.length - 1] = `${last}, ${part}`
    else lines.push(part)
  }
  return lines
    .slice(0, mostLines)
    .map((line) => (line.length > lineLength ? `${line.slice(0, lineLength - 1)}…` : line))
}

/** A card that looks like a map, drawn without a map service: an invented neighbourhood, a pin, the real address. */
export function drawMapCard({ address, zoom, width, height }: MapAsk): string {
  const next = numbersFrom(`${address} ${zoom}`)
  const between = (low: number, high: number) => Math.round(low + next() * (high - low))
  const angle = between(-24, 24)
  const block = between(88, 116)
  const reach = 800
  const rows = Array.from(
    { length: Math.ceil(reach / block) + 2 },
    (_, index) => (index - 4) * block + between(-8, 8),
  )
  const columns = rows.map((row) => row * 1.25 + between(-14, 14))
  const lines = (from: readonly number[], path: (at: number) => string) =>
    from.map((at, index) => `<path d="${path(at)}" stroke-width="${index % 4 === 0 ? 15 : 9}"/>`).join('')
  const houses = rows.flatMap((y) =>
    columns.map(
      (x) =>
        `<rect x="${x + 20}" y="${y + 20}" width="${between(28, 62)}" height="${between(24, 48)}" rx="3"/>`,
    ),
  )
  const side = next() < 0.5 ? 1 : -1
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 640 480" preserveAspectRatio="xMidYMid slice" role="img">`,
    `<title>${xmlText(address)}</title>`,
    `<rect width="640" height="480" fill="${ground}"/>`,
    `<g transform="translate(320 230) rotate(${angle})">`,
    `<g fill="${house}">${houses.join('')}</g>`,
    `<rect x="${side * between(150, 190) - 70}" y="${between(-190, -150)}" width="150" height="120" rx="10" fill="${park}"/>`,
    `<path d="M${-reach} ${between(210, 260)} C -200 ${between(150, 210)} 200 ${between(260, 320)} ${reach} ${between(200, 250)}" fill="none" stroke="${water}" stroke-width="46"/>`,
    `<g fill="none" stroke="${street}" stroke-linecap="round">`,
    lines(rows, (y) => `M${-reach} ${y}H${reach}`),
    lines(columns, (x) => `M${x} ${-reach}V${reach}`),
    '</g></g>',
    '<ellipse cx="320" cy="234" rx="15" ry="5" fill="#000000" opacity="0.22"/>',
    `<path d="M320 232c-14-24-24-33-24-48a24 24 0 0 1 48 0c0 15-10 24-24 48z" fill="${accent}"/>`,
    '<circle cx="320" cy="184" r="9" fill="#ffffff"/>',
    addressCard(cardLines(address)),
    '</svg>',
  ].join('')
}

function addressCard(lines: readonly string[]): string {
  const top = 448 - lines.length * 26
  const text = lines.map(
    (line, index) =>
      `<text x="36" y="${top + 8 + index * 26}" font-size="${index === 0 ? 21 : 18}" font-weight="${index === 0 ? 600 : 400}">${xmlText(line)}</text>`,
  )
  return [
    `<rect x="16" y="${top - 24}" width="608" height="${lines.length * 26 + 32}" rx="8" fill="#ffffff" opacity="0.94"/>`,
    `<g fill="${ink}" font-family="system-ui, sans-serif">${text.join('')}`,
    `<text x="604" y="${448 + 2}" font-size="12" text-anchor="end" opacity="0.7">Drawn, not to scale</text></g>`,
  ].join('')
}
