/** Two lines with pictures that the server draws. */
export const bottles = [0, 1].map((index) => ({
  id: `line-${index}`,
  name: ['Smaragd', 'Bourbon'][index] ?? '',
  quantity: 1,
  price: 10,
  subtotal: 10,
  image_spec: `/images/bottles/${['white', 'whiskey'][index]}-${index}-{dims}.svg`,
}))
