/** A link for a clerk may lead only to a web page. */
export function httpsOnly(url: string | null | undefined): string | undefined {
  return url?.startsWith('https://') === true ? url : undefined
}

export function timeOf(text: string | null | undefined): string | undefined {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
