import type { Page } from '@playwright/test'

/**
 * Every place that an enabled button has on the pages opened from now on, frame by frame; an empty one while it is
 * away again. The answer is about the page that is open then.
 */
export async function followPlaces(page: Page, name: string): Promise<() => Promise<string[]>> {
  await page.addInitScript((wanted) => {
    const places: string[] = []
    Object.assign(window, { places })
    const isIt = (each: HTMLButtonElement): boolean =>
      (each.ariaLabel ?? each.textContent).startsWith(wanted) && each.offsetWidth > 0 && !each.disabled
    const look = (): void => {
      const box = [...document.querySelectorAll('button')].find(isIt)?.getBoundingClientRect()
      const place = box ? `${Math.round(box.x)} ${Math.round(box.y)}` : ''
      if (place !== (places.at(-1) ?? '')) places.push(place)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }, name)
  return () =>
    page.evaluate(async () => {
      // A part that has just come moves the button in the next frame.
      for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
      return (window as unknown as { places: string[] }).places
    })
}
