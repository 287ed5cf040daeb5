import { useLate } from '#lib/parts/use-late.ts'

const lateWords = '. The server has not answered yet, the connection may be down.'

interface Props {
  children: string
  /** For ears alone, until it takes long. */
  isQuiet?: boolean
}

/** What is being waited for, and after a while that it takes long. */
export function WaitingWords({ children, isQuiet = false }: Props) {
  const isLate = useLate()
  return (
    <span role="status" className={isQuiet && !isLate ? 'visually-hidden' : undefined}>
      {children}
      {isLate && lateWords}
    </span>
  )
}
