/**
 * What comes and goes between the header and the page, such as the word that the connection is gone, pushes no row away
 * from under a hand: the list, or the window, scrolls on by as much. Some browsers do that themselves, and not always.
 */
export function keepPageSteady(): void {
  const banners = document.getElementById('content')?.previousElementSibling
  if (!(banners instanceof HTMLElement)) return
  let known = banners.offsetHeight
  let place = scrollY
  // A browser's own correction tells of itself only after the observer has been called.
  const follow = (): void => void (place = scrollY)
  const observer = new ResizeObserver(() => {
    if (!banners.isConnected) {
      removeEventListener('scroll', follow)
      return observer.disconnect()
    }
    const top = banners.offsetHeight - known
    known += top
    const list = document.querySelector('[data-scroll-restoration-id]')
    if (list) list.scrollTop += top
    else scrollBy({ top: top - (scrollY - place), behavior: 'instant' })
  })
  addEventListener('scroll', follow)
  observer.observe(banners)
}
