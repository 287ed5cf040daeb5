/**
 * Of all tabs of this browser that ask, one has the part at a time, and the next one takes over when it goes. A tab
 * that has it is not put to sleep. Without locks (plain http) every tab has it. Returns the function that gives it back.
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
