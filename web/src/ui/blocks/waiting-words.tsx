import { useLate } from '#lib/parts/use-late.ts'

const lateWords = '. The server has not answered yet, the connection may be down.'

interface Props {
  children: string
  /** Only screen readers get the words, until the wait is long. */
  isQuiet?: boolean
}

/** Says that the page waits, and for which thing; after a while it adds that the wait is long. */
export function WaitingWords({ children, isQuiet = false }: Props) {
  const isLate = useLate()
  return (
    <span role="status" className={isQuiet && !isLate ? 'visually-hidden' : undefined}>
      {children}
      {isLate && lateWords}
    </span>
  )
}
