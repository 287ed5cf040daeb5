/** Acts once the change is on the screen. A hidden page is never painted, so the wait has a limit. */
export function afterPaint(act: () => void): void {
  let isDone = false
  const once = (): void => {
    if (isDone) return
    isDone = true
    act()
  }
  requestAnimationFrame(() => setTimeout(once))
  setTimeout(once, 100)
}

/** For calls that no first paint waits for: beginning a call takes the browser about a millisecond. */
export function painted(): Promise<void> {
  return new Promise(afterPaint)
}
