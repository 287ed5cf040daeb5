/**
 * What comes and goes between the header and the page, such as the word that the connection is gone, pushes no row away
 * from under a hand: the list, or the window, scrolls on by as much. Some browsers do that themselves, and not always.
 */
export function keepPageSteady(): void {
  keepNameSteady()
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

/**
 * Beside the word that the line is gone, a long name of the shop has fewer lines. It keeps the height that it had before,
 * and so does the header.
 */
function keepNameSteady(): void {
  const name = document.querySelector<HTMLElement>('header > a')
  if (!name) return
  let width = 0
  const observer = new ResizeObserver(() => {
    if (!name.isConnected) return observer.disconnect()
    const isAway = document.querySelector('header > :is([data-kind=offline], [data-kind=reconnecting])')
    if (isAway && width === innerWidth) return
    width = innerWidth
    name.style.minHeight = ''
    if (!isAway) name.style.minHeight = `${name.offsetHeight}px`
  })
  observer.observe(name)
  // Behind a height that is kept, a shorter name changes its own alone.
  const words = name.lastElementChild
  if (words) observer.observe(words)
}
