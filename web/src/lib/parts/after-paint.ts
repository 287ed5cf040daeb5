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
