import type { Order } from '@cellarhand/contract/orders'

type LineItem = Order['items'][number]

/** The address of a line's picture in the given size (VIEW-010). */
export function pictureOf({ image_spec }: LineItem, dims: '100x100' | '380x490'): string | undefined {
  return image_spec?.replaceAll('{dims}', dims)
}
