import { expect, test } from 'vitest'
import { highlight } from './highlight.ts'

const marked = (text: string, wanted: string) =>
  highlight(text, wanted)
    .map((piece) => (piece.isHit ? `[${piece.text}]` : piece.text))
    .join('')

test.each([
  ['Zoë Brontë', 'zoe', '[Zoë] Brontë'],
  ['Zoe Bronte', 'ZOË BRO', '[Zoe Bro]nte'],
  ['Zoe\u0308 Bronte', 'zoe', '[Zoe\u0308] Bronte'],
  ['Ana Banana', 'an', '[An]a B[an][an]a'],
  ['ﬁnn', 'fi', '[ﬁ]nn'],
  ['a.b+c@x', 'b+c', 'a.[b+c]@x'],
  ['山田 太郎', '太', '山田 [太]郎'],
  ['👩‍🌾 Ada', 'ada', '👩‍🌾 [Ada]'],
  ['Dee  Nakamura', 'dee naka', '[Dee  Naka]mura'],
  [' Dee\u00a0 Nakamura ', 'Dee  Nakamura ', ' [Dee\u00a0 Nakamura] '],
  ['Dee Nakamura', 'nakamura,', 'Dee [Nakamura]'],
  ['Ana Núñez\u2010Peña', 'nunez-p', 'Ana [Núñez\u2010P]eña'],
  ['Sinéad O’Hara', "d o'h", 'Sinéa[d O’H]ara'],
  ['Sinéad O’Hara', 'ohara', 'Sinéad [O’Hara]'],
  ["Jack Daniel's", 'daniels', "Jack [Daniel's]"],
  ["'Ada'", "'", "'Ada'"],
  ['Ada', '', 'Ada'],
  ['Ada', 'xyz', 'Ada'],
  ['', 'a', ''],
])('SEARCH-002 in %j the search for %j is found as %j', (text, wanted, result) => {
  expect(marked(text, wanted)).toBe(result)
})
