/** The first one with all patterns matching wins. */
const browsers: readonly (readonly [string, ...RegExp[]])[] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\//, /\bSafari\//],
]
const systems: readonly (readonly [string, ...RegExp[]])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
]
/** Browsers use half of it. The rest of a longer header is not a browser's and is ignored. */
const mostRead = 512

/** Names a device as its owner knows it. Stored in place of the header, which reveals more than anybody needs. */
export function deviceOf(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null
  const read = userAgent.slice(0, mostRead)
  const nameIn = (kinds: typeof browsers) =>
    kinds.find(([, ...patterns]) => patterns.every((pattern) => pattern.test(read)))?.[0]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  if (browser === undefined) return system ?? null
  return system === undefined ? browser : `${browser} on ${system}`
}
