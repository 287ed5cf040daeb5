/**
 * What comes and goes between the header and the page, such as the word that the connection is gone, pushes no row away
 * from under a hand: the list scrolls on by as much. In a scrolled window most browsers do that themselves.
 */
export function keepPageSteady(): void {
  const banners = document.getElementById('content')?.previousElementSibling
  if (!(banners instanceof HTMLElement)) return
  let known = banners.offsetHeight
  const observer = new ResizeObserver(() => {
    if (!banners.isConnected) return observer.disconnect()
    const top = banners.offsetHeight - known
    known += top
    const list = document.querySelector('[data-scroll-restoration-id]')
    if (list) list.scrollTop += top
    else if (scrollY === 0 || !CSS.supports('overflow-anchor', 'auto')) scrollBy({ top, behavior: 'instant' })
  })
  observer.observe(banners)
}
