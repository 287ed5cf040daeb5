/** Letters that Unicode does not decompose into a plain letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
}

/** Phones and marketplaces write these for the keyboard's apostrophe. An acute accent without a letter is none: it was always a space. */
const apostrophes = /[‘’‛ʻʼʽ′`]/g

/** Case, accents and the kind of apostrophe do not matter, because clerks hear names on the phone: "zoe" finds "Zoë". */
export function searchableText(text: string): string {
  return text
    .replaceAll(apostrophes, "'")
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[łøđðþßæœı]/g, (letter) => plainLetters[letter] ?? letter)
    .trim()
}
