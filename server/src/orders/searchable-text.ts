/** Case and accents do not matter to somebody who hears a name on the phone: "Zoë" is found by "zoe". */
export function searchableText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .trim()
}
