import { tabLabels, tabRoutes } from '@cellarhand/contract/labels'
import { viewNameLength } from '@cellarhand/contract/views'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { use, useId, useState } from 'react'
import { CallError } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { useEarly } from '#lib/parts/late-press.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { ClosePanel, DropPanel } from '#ui/dialogs/drop-panel.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import type { ListView } from '../state/list-view.ts'
import styles from './saved-views.module.css'
import { isShownBy, removeView, renameView, saveView, viewsQuery, type SavedView } from './view-calls.ts'

/** The views that the clerk saved, and those that the team shares. */
export function SavedViews({ view }: { view: ListView }) {
  return (
    <div className={styles.views}>
      <DropPanel label="Views" chosen={undefined} onClear={none} onIntent={none}>
        <ViewsPanel view={view} />
      </DropPanel>
    </div>
  )
}

const none = (): void => undefined

function ViewsPanel({ view }: { view: ListView }) {
  const { data, isError, refetch } = useQuery(viewsQuery(merchantKey()))
  const [isNaming, setNaming] = useState(false)
  return (
    <div className={styles.panel}>
      {/* Above the views, because they come later. */}
      {isNaming ? (
        <NewViewForm view={view} onDone={() => setNaming(false)} />
      ) : (
        <Button look="plain" size="small" autoFocus onClick={() => setNaming(true)}>
          Save this view
        </Button>
      )}
      {isError && !data && (
        <FailedNote text="The views could not be loaded." onRetry={() => void refetch()} />
      )}
      {data?.views.length === 0 && <p className={styles.quiet}>No view is saved yet.</p>}
      {data && data.views.length > 0 && (
        <ul className={styles.list}>
          {data.views.map((saved) => (
            <ViewRow key={saved.id} saved={saved} isShown={isShownBy(view, saved)} />
          ))}
        </ul>
      )}
    </div>
  )
}

function ViewRow({ saved, isShown }: { saved: SavedView; isShown: boolean }) {
  const close = use(ClosePanel)
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<'rename' | 'remove'>()
  const isEarly = useEarly(asked)
  const [name, setName] = useState(saved.name)
  const tmk = merchantKey()
  const change = useMutation({
    mutationFn: () => (asked === 'remove' ? removeView(tmk, saved.id) : renameView(tmk, saved.id, name)),
    onSuccess: async (views) => {
      await keepSaved(queryClient, viewsQuery(tmk), views)
      setAsked(undefined)
    },
  })
  const { tab, ...search } = saved.search
  // A private one may have the same name.
  const spoken = `${saved.name}${saved.is_shared ? ', shared' : ''}`
  return (
    <li className={styles.row}>
      <Link
        to="/orders/$tab"
        params={{ tab: tabRoutes[tab] }}
        search={search}
        aria-current={isShown ? 'page' : undefined}
        onClick={close}
      >
        <b>{saved.name}</b>
        <small>
          {tabLabels[tab]}
          {saved.is_shared && `, shared by ${saved.maker}`}
        </small>
      </Link>
      {saved.can_change && asked === undefined && (
        <span className={styles.buttons}>
          <Button
            look="plain"
            size="small"
            aria-label={`Rename ${spoken}`}
            onClick={() => {
              setName(saved.name)
              setAsked('rename')
            }}
          >
            Rename
          </Button>
          <Button
            look="plain"
            size="small"
            aria-label={`Remove ${spoken}`}
            onClick={() => setAsked('remove')}
          >
            Remove
          </Button>
        </span>
      )}
      {asked === 'rename' && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() !== '' && !change.isPending) change.mutate()
          }}
        >
          <NameField name={name} onName={setName} />
          <span className={styles.buttons}>
            <Button
              type="submit"
              size="small"
              ref={keepFocusNear}
              disabled={name.trim() === ''}
              isBusy={change.isPending}
            >
              Rename
            </Button>
            <Button look="plain" size="small" ref={keepFocusNear} onClick={() => setAsked(undefined)}>
              Cancel
            </Button>
          </span>
        </form>
      )}
      {asked === 'remove' && (
        <span className={styles.buttons}>
          {saved.is_shared && <span className={styles.quiet}>The team loses it too.</span>}
          <Button
            size="small"
            ref={keepFocusNear}
            autoFocus
            aria-disabled={isEarly || change.isPending}
            isBusy={change.isPending}
            onClick={() => isEarly || change.mutate()}
          >
            Remove for good
          </Button>
          <Button look="plain" size="small" ref={keepFocusNear} onClick={() => setAsked(undefined)}>
            Keep
          </Button>
        </span>
      )}
      {change.isError && (
        <p className={styles.failed} role="alert">
          {reasonOf(change.error)}
        </p>
      )}
    </li>
  )
}

interface Sent {
  readonly name: string
  readonly isShared: boolean
  readonly replaces: boolean
}

function NewViewForm({ view, onDone }: { view: ListView; onDone: () => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const tmk = merchantKey()
  const save = useMutation({
    mutationFn: (sent: Sent) => saveView(tmk, view, sent),
    onSuccess: (views) => keepSaved(queryClient, viewsQuery(tmk), views),
  })
  /** Of a save under way somebody waits for the end. */
  const forget = (): void => {
    if (!save.isPending) save.reset()
  }
  // The name may have been changed while its answer was on its way: that is another view.
  const isOfThis = save.variables?.name === name && save.variables.isShared === isShared
  const isTaken = save.error instanceof CallError && save.error.code === 'view_name_taken'
  const error = isTaken && !isOfThis ? null : save.error
  const isTwice = (save.isPending && save.variables.replaces) || (isTaken && isOfThis)
  const send = (replaces: boolean): void => save.mutate({ name, isShared, replaces }, { onSuccess: onDone })
  const isEarly = useEarly(isTwice)
  const isEmpty = name.trim() === ''
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty && !save.isPending) send(false)
      }}
    >
      <NameField
        name={name}
        onName={(next) => {
          setName(next)
          forget()
        }}
      />
      <label className={styles.share}>
        <input
          type="checkbox"
          checked={isShared}
          onChange={(event) => {
            setShared(event.currentTarget.checked)
            forget()
          }}
        />
        Share it with the team
      </label>
      {error && (
        <p className={styles.failed} role="alert">
          {reasonOf(error)}
          {isTwice && (isShared ? ' Replace it for everybody?' : ' Replace it?')}
        </p>
      )}
      <span className={styles.buttons}>
        {isTwice ? (
          <Button
            size="small"
            ref={keepFocusNear}
            autoFocus
            aria-disabled={isEarly || save.isPending}
            isBusy={save.isPending}
            onClick={() => isEarly || send(true)}
          >
            Replace
          </Button>
        ) : (
          <Button type="submit" size="small" disabled={isEmpty} isBusy={save.isPending}>
            Save
          </Button>
        )}
        <Button look="plain" size="small" onClick={onDone}>
          Cancel
        </Button>
      </span>
    </form>
  )
}

function NameField({ name, onName }: { name: string; onName: (name: string) => void }) {
  const id = useId()
  return (
    <span className={styles.name}>
      <label htmlFor={id}>Name</label>
      <input
        id={id}
        ref={keepFocusNear}
        autoFocus
        value={name}
        maxLength={viewNameLength}
        onChange={({ currentTarget }) => onName(currentTarget.value)}
      />
    </span>
  )
}
