import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { call } from '#lib/calls/call.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { session, sessionKnown } from './session/session.ts'
import { AccountCard } from './two-step/account-card.tsx'
import styles from './two-step/account-card.module.css'

/** A shop asks a person who has an account: nothing changes before the answer. */
export function JoinPage() {
  const { token } = useParams({ from: '/join/$token' })
  const invitation = useQuery({
    queryKey: ['POST /a/v2/accounts/invitation', token],
    queryFn: ({ signal }) =>
      call('POST /a/v2/accounts/invitation', { body: { token } }, { auth: 'none', signal }),
    staleTime: Infinity,
  })
  const join = useMutation({
    mutationFn: () =>
      call('POST /a/v2/accounts/invitation/acceptance', { body: { token } }, { auth: 'none' }),
  })
  if (!invitation.data)
    return (
      <AccountCard
        title="Invitation"
        problem={invitation.isError ? invitation.error.message : undefined}
        onSubmit={(event) => event.preventDefault()}
      >
        {invitation.isPending && <Spinner label="Loading the invitation" />}
        {invitation.isError && (
          <p>
            <Link to="/">Go to the order desk</Link>
          </p>
        )}
      </AccountCard>
    )
  const { merchant, email, roles } = invitation.data
  if (join.isSuccess) return <Joined shop={merchant.name} email={email} />
  return (
    <AccountCard
      title={`Join ${merchant.name}?`}
      problem={join.isError ? join.error.message : undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (!join.isPending) join.mutate()
      }}
    >
      <div className={styles.sent}>
        <p>
          <b>{merchant.name}</b> asks you to work on its orders, as{' '}
          <b>{roles.map(({ label }) => label).join(', ')}</b>.
        </p>
        <p className={styles.lead}>
          You join with your account {email} and keep your password. The owners of the shop then see your name
          and e-mail. If you do not know this shop, leave this page: nothing changes.
        </p>
      </div>
      <Button type="submit" size="large" isBusy={join.isPending}>
        Join
      </Button>
      <p>
        <Link to="/">Not now</Link>
      </p>
    </AccountCard>
  )
}

interface JoinedProps {
  shop: string
  email: string
}

function Joined({ shop, email }: JoinedProps) {
  const { user } = session.use()
  // At a till, somebody else may be signed in.
  useEffect(() => void sessionKnown().catch(() => undefined), [])
  return (
    // A page that is loaded anew knows the merchant of a session that was open before.
    <AccountCard
      title={`You have joined ${shop}`}
      onSubmit={(event) => {
        event.preventDefault()
        location.assign('/')
      }}
    >
      <p className={styles.lead}>
        {user === null
          ? `Sign in as ${email}, with the password that you have.`
          : user.email.toLowerCase() === email.toLowerCase()
            ? `You are signed in as ${email}.`
            : `${user.email} is signed in here. Sign out there first, then sign in as ${email}.`}
      </p>
      <Button type="submit" size="large" autoFocus>
        Go to the order desk
      </Button>
    </AccountCard>
  )
}
