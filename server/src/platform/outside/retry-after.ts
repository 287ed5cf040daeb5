/** The wait that a Retry-After header asks for, as seconds or as an HTTP date. */
export function readRetryAfter(header: string | null | undefined, nowMs: number): number | undefined {
  if (header == null) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}
