import type { NotedOrder } from '@cellarhand/contract/notes'
import IconNote from '@tabler/icons-react/dist/esm/icons/IconNote.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { useTimezone } from '#merchants/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Moment } from '#ui/blocks/moment.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { notedQuery } from './noted-orders.ts'
import styles from './noted.module.css'

interface Props {
  /** The orders to ask about. */
  ids: readonly string[]
  /** The one to show. Without it all are shown, each with its number. */
  only?: string | undefined
}

const shownAtMost = 5
/** A note may have a thousand letters, and comes above the bottle and the buttons. */
const startLength = 160

/** Its first lines, up to the end of a word. */
function startOf(text: string): string {
  const lines = text.split('\n').slice(0, 3).join('\n')
  return lines.length <= startLength ? lines : lines.slice(0, startLength).replace(/\s\S{0,30}$/, '')
}

/** The newest note of an order, where it is decided. Nothing waits for it, and without a note nothing is shown. */
export function NewestNotes({ ids, only }: Props) {
  const queryClient = useQueryClient()
  const timezone = useTimezone()
  const { data = [] } = useQuery(notedQuery(queryClient, merchantKey(), ids))
  const noted = data.filter(({ id }) => only === undefined || id === only)
  const further = noted.slice(shownAtMost)
  if (noted.length === 0) return null
  return (
    <div className={styles.notes} role="list" aria-label="Notes">
      {noted.slice(0, shownAtMost).map((order) => (
        <div key={order.id} role="listitem">
          <NewestNote order={order} timezone={timezone} hasNumber={only === undefined} />
        </div>
      ))}
      {further.length > 0 && (
        <p role="listitem">More notes: {further.map(({ id }) => `#${id}`).join(', ')}.</p>
      )}
    </div>
  )
}

interface NoteProps {
  order: NotedOrder
  timezone: string
  hasNumber: boolean
}

function NewestNote({ order: { id, count, newest }, timezone, hasNumber }: NoteProps) {
  const [isWhole, setWhole] = useState(false)
  const start = startOf(newest.text)
  const isCut = start !== newest.text && !isWhole
  return (
    <Notice icon={IconNote} hue="amber">
      <span className={styles.text}>
        {hasNumber && <b>#{id} </b>}
        {isCut ? `${start} …` : newest.text}
      </span>
      {isCut && (
        <>
          {' '}
          <Button look="plain" ref={keepFocusNear} onClick={() => setWhole(true)}>
            Show all
          </Button>
        </>
      )}
      <br />
      <small>
        {newest.author}, <Moment at={newest.at} timezone={timezone} />
        {count > 1 && `, and ${count - 1} more ${count === 2 ? 'note' : 'notes'}`}
      </small>
    </Notice>
  )
}
