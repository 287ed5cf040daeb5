import { noteLength, notesAtMost } from '@cellarhand/contract/notes'
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { useEarly } from '#lib/parts/late-press.ts'
import { useCan } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Moment } from '#ui/blocks/moment.tsx'
import { useIsAway } from '#ui/notes/no-line.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import styles from './notes-card.module.css'
import type { Note, Notes, Subject } from './queries.ts'
import { addNote, deleteNote, notesQuery } from './queries.ts'

/** From here on a writer reads how many letters are left. */
const nearlyFull = noteLength - 200

interface Props {
  title: string
  subject: Subject
  timezone: string
}

/** Notes with author and time, the newest first. They stay in the shop. */
export function NotesCard({ title, subject, timezone }: Props) {
  const id = useId()
  const can = useCan()
  const { data, isError, refetch } = useQuery(notesQuery(subject))
  const isAway = useIsAway()
  const [isWriting, setWriting] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    setWriting(false)
    setTimeout(() => opener.current?.focus())
  }
  const isFull = (data?.notes.length ?? 0) >= notesAtMost
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <small>Only your shop sees them.</small>
        {can('orders.fulfil') && !isWriting && (
          <Button look="plain" size="small" ref={opener} disabled={isFull} onClick={() => setWriting(true)}>
            Add note
          </Button>
        )}
      </div>
      {isWriting && <NewNote {...{ subject }} onDone={close} />}
      {!data && isAway && (
        <p className={styles.hint}>The notes come by themselves once the connection is back.</p>
      )}
      {isError && !data && !isAway && (
        <FailedNote text="The notes could not be loaded." onRetry={() => void refetch()} />
      )}
      {isFull && <p className={styles.hint}>There are {notesAtMost} notes. Delete one to add another.</p>}
      {data && data.notes.length > 0 && (
        <ul className={styles.list}>
          {data.notes.map((note) => (
            <NoteRow key={note.id} {...{ note, subject, timezone }} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** A colleague's note may have come between the answer and now. */
function showNotes(queryClient: QueryClient, subject: Subject, notes: Notes): void {
  const { queryKey } = notesQuery(subject)
  queryClient.setQueryData(queryKey, notes)
  void queryClient.invalidateQueries({ queryKey })
}

function NewNote({ subject, onDone }: { subject: Subject; onDone: () => void }) {
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const add = useMutation({
    mutationFn: () => addNote(subject, text),
    onSuccess: (notes) => showNotes(queryClient, subject, notes),
  })
  const isEmpty = text.trim() === ''
  const send = (): void => {
    if (!isEmpty && !add.isPending) add.mutate(undefined, { onSuccess: onDone })
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label>
        New note
        <textarea
          autoFocus
          rows={3}
          maxLength={noteLength}
          value={text}
          aria-invalid={add.isError || undefined}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
            if (event.key === 'Escape' && isEmpty) onDone()
          }}
        />
      </label>
      {text.length > nearlyFull && (
        <p className={styles.hint} role="status">
          {noteLength - text.length} letters left
        </p>
      )}
      {add.isError && (
        <p className={styles.failed} role="alert">
          {reasonOf(add.error)}
        </p>
      )}
      <div className={styles.buttons}>
        <Button type="submit" disabled={isEmpty} isBusy={add.isPending}>
          Add
        </Button>
        <Button look="plain" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function NoteRow({ note, subject, timezone }: { note: Note; subject: Subject; timezone: string }) {
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const isEarly = useEarly(isAsking)
  const remove = useMutation({
    mutationFn: () => deleteNote(subject, note.id),
    onSuccess: (notes) => showNotes(queryClient, subject, notes),
  })
  return (
    <li>
      <p className={styles.text}>{note.text}</p>
      <div className={styles.foot}>
        <small>
          {note.author}, <Moment at={note.at} timezone={timezone} />
        </small>
        {note.can_delete && !isAsking && (
          <button type="button" className={styles.link} onClick={() => setAsking(true)}>
            Delete
          </button>
        )}
        {isAsking && (
          <span className={styles.buttons}>
            <Button
              size="small"
              ref={keepFocusNear}
              autoFocus
              aria-disabled={isEarly || remove.isPending}
              isBusy={remove.isPending}
              onClick={() => isEarly || remove.mutate()}
            >
              Delete for good
            </Button>
            <Button look="plain" size="small" ref={keepFocusNear} onClick={() => setAsking(false)}>
              Keep
            </Button>
          </span>
        )}
      </div>
      {remove.isError && (
        <p className={styles.failed} role="alert">
          {reasonOf(remove.error)}
        </p>
      )}
    </li>
  )
}
