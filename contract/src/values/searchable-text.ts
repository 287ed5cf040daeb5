/** Letters that Unicode does not decompose into a plain letter and a mark, and one form of a letter for another. */
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
  // At the end of a word.
  ς: 'σ',
}

/** Word processors write these for the keyboard's hyphen, and so does Unicode's decomposition for others. */
const hyphens = /[\u2010-\u2015\u2212]/g

/**
 * Signs that nobody hears or sees: apostrophes as keyboards, phones and marketplaces write them, soft hyphens, and signs
 * without a width, which a copied name brings along. An acute accent without a letter is a space, as it always was.
 */
const silent = /['‘’‛ʻʼʽ′`\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/**
 * Case, accents, apostrophes and the kind of hyphen do not matter, because clerks hear names on the phone: "zoe" finds
 * "Zoë", and "oneil" finds "O’Neil".
 */
export function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(silent, '')
    .replaceAll(hyphens, '-')
    .toLowerCase()
    .replaceAll(/[łøđðþßæœıς]/g, (letter) => lettersOfOthers[letter] ?? letter)
}

/** White space as a screen shows it, and no comma at the end: it waits for the first name in "Nakamura, Dee". */
export function plainSpaces(text: string): string {
  let plain = text.replaceAll(/\s+/g, ' ').trim()
  while (plain.endsWith(',')) plain = plain.slice(0, -1).trimEnd()
  return plain
}

/** The one form of a stored text and of a text that is searched for. Migrations 0107 to 0110 give it to older rows. */
export function searchableText(text: string): string {
  return plainSpaces(plainLetters(text))
}
