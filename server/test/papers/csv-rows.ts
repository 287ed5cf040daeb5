/** The lines of a CSV without line breaks in its fields, by the names of its head. */
export function rowsOf(csv: Buffer | undefined): Record<string, string>[] {
  const [head = '', ...lines] = (csv ?? Buffer.from(''))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
  const cells = (line: string) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
      cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell,
    )
  const names = cells(head)
  return lines.map((line) => {
    const own = cells(line)
    return Object.fromEntries(names.map((name, index) => [name, own[index] ?? '']))
  })
}
