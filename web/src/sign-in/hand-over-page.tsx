import type { ReactNode } from 'react'
import { Suspense } from 'react'
import { Button } from '#ui/button.tsx'
import { FullPage } from '#ui/full-page.tsx'
import type { HandOver } from './hand-over.ts'
import { HandOverDialog } from './lazy-parts.ts'
import styles from './hand-over.module.css'

/** In the place of every page until it is decided what becomes of the link; `children` is shown while nobody is asked. */
export function HandOverPage({ step, children }: { step: HandOver; children: ReactNode }) {
  if (step.kind === 'unanswered') return <Unanswered {...step} />
  return (
    <>
      {children}
      <Suspense>{step.kind === 'asking' && <HandOverDialog {...step} />}</Suspense>
    </>
  )
}

function Unanswered({ hasSession, onRetry, onGoOn }: Extract<HandOver, { kind: 'unanswered' }>) {
  return (
    <FullPage title="The server did not answer">
      <p>
        The sign-in link was not lost. {hasSession ? 'This browser is signed in as before. ' : ''}
        Check the connection, then try again.
      </p>
      <div className={styles.choices}>
        <Button autoFocus onClick={onRetry}>
          Try Again
        </Button>
        <Button look="plain" onClick={onGoOn}>
          Go On Without the Link
        </Button>
      </div>
    </FullPage>
  )
}
