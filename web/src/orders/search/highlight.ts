import { plainLetters, plainSpaces } from '@cellarhand/contract/searchable-text'

interface Piece {
  text: string
  isHit: boolean
}

/** Marks the matching parts of a text, in the form in which the server compares the two. */
export function highlight(text: string, wanted: string): Piece[] {
  const needle = plainSpaces([...wanted].map(plainLetters).join(''))
  if (needle === '') return [{ text, isHit: false }]
  const signs = [...text]
  const folded = plainSigns(signs)
  const starts: number[] = []
  let length = 0
  for (const part of folded) {
    starts.push(length)
    length += part.length
  }
  const haystack = folded.join('')
  const pieces: Piece[] = []
  let done = 0
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, at + needle.length)) {
    const from = starts.findLastIndex((start) => start <= at)
    let to = starts.findLastIndex((start) => start < at + needle.length) + 1
    // A separate accent belongs to the letter before it.
    while (folded[to] === '') to++
    if (from < done) continue
    pieces.push({ text: signs.slice(done, from).join(''), isHit: false })
    pieces.push({ text: signs.slice(from, to).join(''), isHit: true })
    done = to
  }
  pieces.push({ text: signs.slice(done).join(''), isHit: false })
  return pieces.filter((piece) => piece.text !== '')
}

/** Of several spaces the first counts, and none at the beginning. */
function plainSigns(signs: readonly string[]): string[] {
  let isAfterSpace = true
  return signs.map((sign) => {
    const plain = plainLetters(sign)
    if (plain === '') return ''
    const isSpace = plain.trim() === ''
    const isSpare = isSpace && isAfterSpace
    isAfterSpace = isSpace
    if (isSpare) return ''
    return isSpace ? ' ' : plain
  })
}
