import { config } from './config.ts'

let frame: HTMLIFrameElement | undefined

/** Opens the browser's print dialog on a file of our own server; where that cannot be, the file itself. */
export function printFile(address: string): void {
  const { pathname, search } = new URL(address, location.href)
  const own = `${config.apiBase}${pathname}${search}`
  frame?.remove()
  frame = document.createElement('iframe')
  frame.title = 'Document to print'
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  // Not display: none, or there would be nothing to print.
  Object.assign(frame.style, {
    position: 'fixed',
    right: '0',
    bottom: '0',
    width: '0',
    height: '0',
    border: '0',
  })
  frame.addEventListener('load', () => {
    try {
      frame?.contentWindow?.focus()
      frame?.contentWindow?.print()
    } catch {
      window.open(own, '_blank', 'noopener')
    }
  })
  frame.src = own
  document.body.append(frame)
}
