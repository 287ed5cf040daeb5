import { config } from '../calls/config.ts'

const keptMs = 10 * 60_000
let frame: HTMLIFrameElement | undefined

/** What no browser shows: it is saved as a file, and sent to the label printer from there. */
export function isForLabelPrinter(mediaType: string | null | undefined): boolean {
  return mediaType === 'application/zpl'
}

/** Opens the browser's print dialog on a file of our own server; where that cannot be, the file itself. */
export function printFile(address: string): void {
  const { pathname, search } = new URL(address, location.href)
  printAt(`${config.apiBase}${pathname}${search}`)
}

/** The same for a file that is here already. Where the browser shows no PDFs, nothing opens. */
export function printBlob(file: Blob): void {
  if (!navigator.pdfViewerEnabled) return
  const address = URL.createObjectURL(file)
  printAt(address)
  // The dialog may stay open for long, and prints from here.
  setTimeout(() => URL.revokeObjectURL(address), keptMs)
}

function printAt(own: string): void {
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
    const before = document.activeElement
    try {
      frame?.contentWindow?.focus()
      frame?.contentWindow?.print()
    } catch {
      window.open(own, '_blank', 'noopener')
    }
    // Keys would be the document's otherwise, and the desk's shortcuts would be dead.
    window.focus()
    frame?.blur()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  })
  frame.src = own
  document.body.append(frame)
}
