import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { storedToken } from '#lib/kept/stored-session.ts'
import { Button } from '#ui/blocks/button.tsx'
import { FullPage } from '#ui/blocks/full-page.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import { handOver, type HandOver } from './hand-over.ts'
import { HandOverDialog, redeem } from './redeem-link.ts'
import { nameOf } from '../session/name-of.ts'

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
      {step?.kind === 'asking' && (
        <DialogPart title={titleOf(step)} onClose={step.onStay}>
          <HandOverDialog {...step} title={titleOf(step)} onClose={step.onStay} />
        </DialogPart>
      )}
    </>
  )
}

function titleOf({ next }: Extract<HandOver, { kind: 'asking' }>): string {
  return `Sign in as ${nameOf(next)}?`
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
