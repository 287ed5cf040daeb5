export interface Command {
  group: 'This page' | 'Go to' | 'Settings' | 'Look' | 'More'
  label: string
  /** Other words that people type for this command. */
  words?: string
  keys?: string
  run: () => void
}

/** The commands that hold every typed word; those that begin with the text come first. A number opens that order. */
export function findCommands(
  commands: readonly Command[],
  typed: string,
  open: (id: string) => void,
): Command[] {
  const text = typed.trim().toLowerCase()
  const words = text.split(/\s+/)
  const hits = commands.filter(({ label, group, words: more = '' }) => {
    const said = `${label} ${group} ${more}`.toLowerCase()
    return words.every((word) => said.includes(word))
  })
  const id = /^#?(\d{1,18})$/.exec(text)?.[1]
  const toOrder: Command[] =
    id === undefined ? [] : [{ group: 'Go to', label: `Order #${id}`, run: () => open(id) }]
  const begins = ({ label }: Command): number => (label.toLowerCase().startsWith(text) ? 0 : 1)
  return [...toOrder, ...(text === '' ? hits : hits.toSorted((one, other) => begins(one) - begins(other)))]
}
