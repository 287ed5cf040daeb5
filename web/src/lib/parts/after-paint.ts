/** Acts once what has changed is on the screen. A page that nobody sees is never painted, so it waits only so long. */
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
