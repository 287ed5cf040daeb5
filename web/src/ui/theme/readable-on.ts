/** A merchant's colour without its transparency, and the ink that is readable on it. */
export function readableOn(colour: string | null): { background: string; color: string } | undefined {
  if (colour === null || !CSS.supports('color', colour)) return undefined
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  if (canvas === null) return undefined
  for (const fill of ['#fff', colour]) {
    canvas.fillStyle = fill
    canvas.fillRect(0, 0, 1, 1)
  }
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) =>
    part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  )
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b
  // At this luminance black and white have the same contrast (WCAG).
  const isDark = luminance < 0.179
  return { background: `rgb(${red} ${green} ${blue})`, color: isDark ? '#fff' : '#000' }
}
