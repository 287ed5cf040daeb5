import type { ReactNode } from 'react'
import { Suspense, useEffect } from 'react'
import { storedToken } from '#lib/kept/stored-session.ts'
import { Button } from '#ui/blocks/button.tsx'
import { FullPage } from '#ui/blocks/full-page.tsx'
import { handOver, type HandOver } from './hand-over.ts'
import { HandOverDialog, redeem } from './redeem-link.ts'

/** Replaces every page until the link is settled; `children` is the page behind. */
export function HandOverPage({ children }: { children: ReactNode }) {
  const step = handOver.use()
  useEffect(() => {
    const begun = handOver.get()
    if (begun?.kind === 'taken') void redeem(begun.link)
  }, [])
  if (step?.kind === 'unanswered') return <Unanswered {...step} />
  return (
    <>
      {children}
      <Suspense>{step?.kind === 'asking' && <HandOverDialog {...step} onClose={step.onStay} />}</Suspense>
    </>
  )
}

function Unanswered({ onRetry, onGoOn }: Extract<HandOver, { kind: 'unanswered' }>) {
  const stays = storedToken() === null ? '' : ' This browser is signed in as before.'
  return (
    <FullPage title="The sign-in is not finished">
      <p>
        The server did not confirm the sign-in. The link is kept.{stays} Check the connection, then try again.
      </p>
      <Button size="large" autoFocus onClick={onRetry}>
        Try Again
      </Button>
      <Button size="large" look="plain" onClick={onGoOn}>
        Go On Without the Link
      </Button>
    </FullPage>
  )
}
