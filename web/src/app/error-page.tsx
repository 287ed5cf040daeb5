import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Component, Suspense, useState, type ReactNode } from 'react'
import { CallError, UnreachableError } from '#lib/calls/call.ts'
import { isReached } from '#lib/calls/is-reached.ts'
import {
  NoMerchantError,
  NoMerchantNotice,
  SecondStepNeeded,
  SecondStepNeededError,
} from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { FullPage } from '#ui/blocks/full-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/** A route shows this when its loader or its rendering fails. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  if (error instanceof NoMerchantError || error instanceof SecondStepNeededError)
    return <Suspense>{noticeOf(error)}</Suspense>
  if (error instanceof CallError && error.status === 404) return <NotFoundPage />
  const couldNotLoad = error instanceof CallError || error instanceof UnreachableError || isMissingPart(error)
  if (couldNotLoad) return <GenericError />
  return <RenderError onContinue={reset} />
}

/** A page with its frame has this part along with its menu. */
function signOut(): void {
  void import('./leave.ts').then(({ leave }) => leave())
}

function noticeOf(error: NoMerchantError | SecondStepNeededError): ReactNode {
  if (error instanceof NoMerchantError) return <NoMerchantNotice onSignOut={signOut} />
  // Reloads the whole page, to clear everything that the server refused before.
  return <SecondStepNeeded onDone={() => location.reload()} onSignOut={signOut} />
}

/** An answer that the page has its own words for is no fault, and nobody has to look into it. */
export function isDesigned(error: unknown): boolean {
  const designed = [NoMerchantError, SecondStepNeededError, CallError, UnreachableError]
  return designed.some((kind) => error instanceof kind)
}

/** The browser could not fetch a part of the page: no network, or a newer version of the desk was installed. */
function isMissingPart(error: unknown): boolean {
  return error instanceof TypeError && /module|import/i.test(error.message)
}

/** Reloads the page once the server answers. Without a connection the browser would show its own error page. */
function GenericError() {
  const [attempt, setAttempt] = useState<'none' | 'running' | 'failed'>(
    document.querySelector('[name=cellarhand-kept][content=away]') ? 'failed' : 'none',
  )
  const retry = async (): Promise<void> => {
    setAttempt('running')
    if (await isReached()) location.reload()
    else setAttempt('failed')
  }
  return (
    <FullPage title={messages.genericErrorPage}>
      <p role="status">
        {attempt === 'failed'
          ? 'The server still cannot be reached. Please check the connection.'
          : 'The server did not answer as expected. Nothing you entered before was lost.'}
      </p>
      <Button isBusy={attempt === 'running'} onClick={() => void retry()}>
        Try Again
      </Button>
    </FullPage>
  )
}

function RenderError({ onContinue }: { onContinue: () => void }) {
  return (
    <FullPage title="Something on this page failed">
      <p>Your orders are safe. You can go on from the start page.</p>
      <Button
        onClick={() => {
          onContinue()
          location.assign('/orders')
        }}
      >
        Continue
      </Button>
    </FullPage>
  )
}

export class RenderErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    if (this.state.failed) return <RenderError onContinue={() => this.setState({ failed: false })} />
    return this.props.children
  }
}
