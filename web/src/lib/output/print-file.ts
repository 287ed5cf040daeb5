import { config } from '../calls/config.ts'

const keptMs = 10 * 60_000
/** A frame prints nothing before it has loaded, and the browser may still read from it afterwards. */
const keptFrames = 5
/** A file that does not load holds the next one up for so long. */
const loadMs = 10_000
const frames: HTMLIFrameElement[] = []
let lastPrinted = Promise.resolve()

/** No browser shows this type: the page saves it as a file, and the clerk sends that to the label printer. */
export function isForLabelPrinter(mediaType: string | null | undefined): boolean {
  return mediaType === 'application/zpl'
}

/** Opens the browser's print dialog for a file of our own server, or the file itself if the dialog cannot open. */
export function printFile(address: string): void {
  const { pathname, search } = new URL(address, location.href)
  printAt(`${config.apiBase}${pathname}${search}`)
}

/** The same for a file that the page already has. Without a PDF viewer in the browser, nothing opens. */
export function printBlob(file: Blob): void {
  if (!navigator.pdfViewerEnabled) return
  const address = URL.createObjectURL(file)
  printAt(address)
  // The dialog prints from this address, and may stay open for long.
  setTimeout(() => URL.revokeObjectURL(address), keptMs)
}

/** One after the other, so that slips which come at the same moment all print. */
function printAt(own: string): void {
  lastPrinted = lastPrinted.then(
    () =>
      new Promise((resolve) => {
        openFrame(own, resolve)
        setTimeout(resolve, loadMs)
      }),
  )
}

function openFrame(own: string, onPrinted: () => void): void {
  const frame = document.createElement('iframe')
  frames.push(frame)
  if (frames.length > keptFrames) frames.shift()?.remove()
  frame.title = 'Document to print'
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  // With display: none the browser would print nothing.
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
      frame.contentWindow?.focus()
      frame.contentWindow?.print()
    } catch {
      window.open(own, '_blank', 'noopener')
    }
    // Otherwise the print frame would receive the keys, and the desk's shortcuts would do nothing.
    window.focus()
    frame.blur()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    onPrinted()
  })
  frame.src = own
  document.body.append(frame)
}
