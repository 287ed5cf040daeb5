/** Errors before the first byte of the request has left. */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
])
/** ERR_SSL_… is not among them: a damaged record or an alert can also come after the request. */
const badCertificate = /^(CERT|ERR_TLS|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)_/
/** A host can also become unreachable on an open connection, over which the request may have gone. */
const onOpenConnection = new Set<unknown>(['read', 'write'])

/** Whether this failure of `fetch` is certain to have kept the request from leaving; `cause` is that of `causeOf`. */
export function wasNeverSent(cause: unknown): boolean {
  if (!(cause instanceof Error) || !('code' in cause)) return false
  if ('syscall' in cause && onOpenConnection.has(cause.syscall)) return false
  const code = String(cause.code)
  return neverSent.has(code) || badCertificate.test(code)
}

/** The reason that an error of `fetch` carries. */
export function causeOf(error: unknown): unknown {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  // With several addresses, each failed for its own reason; the first one is reported.
  return cause instanceof AggregateError && cause.errors.length > 0 ? (cause.errors[0] as unknown) : cause
}
