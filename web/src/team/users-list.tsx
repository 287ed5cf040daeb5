import IconMailOff from '@tabler/icons-react/dist/esm/icons/IconMailOff.mjs'
import { formatDate, formatTime } from '#lib/time/dates.ts'
import { CARDS, useMedia } from '#lib/parts/use-media.ts'
import { useTimezone } from '#merchants/public.ts'
import { session } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import panel from '#ui/blocks/panel.module.css'
import { InvitationActions } from './invitation-actions.tsx'
import type { Colleague } from './queries.ts'
import { nameOf, rolesOf } from './queries.ts'
import styles from './users-list.module.css'

interface Props {
  colleagues: readonly Colleague[]
  /** People whose access was just ended stay in the list, dimmed (TEAM-006). */
  revoked: ReadonlySet<string>
  /** Absent for a person who may only look. */
  onAct: ((kind: 'edit' | 'revoke', colleague: Colleague) => void) | undefined
}

export function UsersList(props: Props) {
  return useMedia(CARDS) ? <UserCards {...props} /> : <UserTable {...props} />
}

function UserTable({ colleagues, revoked, onAct }: Props) {
  return (
    <div className={`${panel.panel} ${styles.scroll}`}>
      <table className={styles.table}>
        <caption className="visually-hidden">Users of this store</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Email</th>
            <th scope="col">Role</th>
            <th scope="col">Last login</th>
            {onAct && <th scope="col">Edit / Revoke</th>}
          </tr>
        </thead>
        <tbody>
          {colleagues.map((colleague) => (
            <tr key={colleague.uuid} data-revoked={revoked.has(colleague.uuid) || undefined}>
              <th scope="row">
                <Name colleague={colleague} />
              </th>
              <td>{colleague.email}</td>
              <td>{rolesOf(colleague)}</td>
              <td>
                <LastLogin colleague={colleague} />
              </td>
              {onAct && (
                <td>
                  <Actions colleague={colleague} isRevoked={revoked.has(colleague.uuid)} onAct={onAct} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function UserCards({ colleagues, revoked, onAct }: Props) {
  return (
    <ul className={styles.cards} aria-label="Users of this store">
      {colleagues.map((colleague) => (
        <li
          key={colleague.uuid}
          className={panel.panel}
          data-revoked={revoked.has(colleague.uuid) || undefined}
        >
          <p className={styles.cardName}>
            <Name colleague={colleague} />
            <span>{rolesOf(colleague)}</span>
          </p>
          <p>{colleague.email}</p>
          <p className={styles.soft}>
            {!colleague.invitation_pending && 'Last login: '}
            <LastLogin colleague={colleague} />
          </p>
          {onAct && <Actions colleague={colleague} isRevoked={revoked.has(colleague.uuid)} onAct={onAct} />}
        </li>
      ))}
    </ul>
  )
}

function Name({ colleague }: { colleague: Colleague }) {
  const isMe = session.use().user?.id === colleague.uuid
  return (
    <span className={styles.name}>
      {nameOf(colleague)}
      {isMe && <span className={styles.you}>You</span>}
    </span>
  )
}

function LastLogin({ colleague }: { colleague: Colleague }) {
  const timezone = useTimezone()
  const moment = colleague.last_login
  if (colleague.invitation_problem !== null)
    return (
      <span className={styles.problem}>
        <IconMailOff size={16} aria-hidden />
        <span>
          The invitation could not be delivered to {colleague.email}: {colleague.invitation_problem}
        </span>
      </span>
    )
  if (colleague.invitation_pending) return <>Invited</>
  if (moment === null) return <>Never</>
  return <time dateTime={moment}>{`${formatDate(moment, timezone)} ${formatTime(moment, timezone)}`}</time>
}

interface ActionsProps {
  colleague: Colleague
  isRevoked: boolean
  onAct: NonNullable<Props['onAct']>
}

function Actions({ colleague, isRevoked, onAct }: ActionsProps) {
  const isMe = session.use().user?.id === colleague.uuid
  if (isRevoked) return <span className={styles.soft}>Access revoked</span>
  if (isMe) return <span className={styles.soft}>Another owner can change your access</span>
  return (
    <span className={styles.actions}>
      <Button
        look="plain"
        size="small"
        aria-label={`Edit ${nameOf(colleague)}`}
        onClick={() => onAct('edit', colleague)}
      >
        Edit
      </Button>
      {colleague.invitation_pending ? (
        <InvitationActions colleague={colleague} />
      ) : (
        <Button
          look="plain"
          size="small"
          aria-label={`Revoke ${nameOf(colleague)}`}
          onClick={() => onAct('revoke', colleague)}
        >
          Revoke
        </Button>
      )}
    </span>
  )
}
