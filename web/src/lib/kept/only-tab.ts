/**
 * Of all tabs of this browser that ask for the part, one has it at a time; when that tab closes, the next one takes
 * over. The browser does not put that tab to sleep. On plain http there are no locks, and every tab has the part.
 * Returns the function that gives it back.
 */
export function takePart(name: string, onChange: (isOurs: boolean) => void): () => void {
  if (!('locks' in navigator)) {
    onChange(true)
    return () => onChange(false)
  }
  const stop = new AbortController()
  const until = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()))
  const hold = (): Promise<void> => {
    if (!stop.signal.aborted) onChange(true)
    return until
  }
  navigator.locks.request(name, { signal: stop.signal }, hold).catch(() => undefined)
  return () => {
    stop.abort()
    onChange(false)
  }
}
