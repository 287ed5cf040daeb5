/** Letters that Unicode does not decompose into a plain letter and a mark. */
const lettersOfOthers: Readonly<Record<string, string>> = {
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

/** Word processors write these for the keyboard's hyphen, and so does Unicode's decomposition for others. */
const hyphens = /[\u2010-\u2015\u2212]/g

/** Signs that no screen shows: soft hyphens, and signs without a width, which a copied name brings along. */
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Case, accents and the kinds of apostrophe and hyphen do not matter, because clerks hear names on the phone: "zoe" finds "Zoë". */
export function plainLetters(text: string): string {
  return text
    .replaceAll(apostrophes, "'")
    .replaceAll(unseen, '')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(hyphens, '-')
    .toLowerCase()
    .replaceAll(/[łøđðþßæœı]/g, (letter) => lettersOfOthers[letter] ?? letter)
}

/** White space as a screen shows it, and no comma at the end: it waits for the first name in "Nakamura, Dee". */
export function plainSpaces(text: string): string {
  let plain = text.replaceAll(/\s+/g, ' ').trim()
  while (plain.endsWith(',')) plain = plain.slice(0, -1).trimEnd()
  return plain
}

/** The one form of a stored text and of a text that is searched for. `0107-names-as-screens-show-them.sql` gives it to older rows. */
export function searchableText(text: string): string {
  return plainSpaces(plainLetters(text))
}
