import { firstMessages as messages } from '@cellarhand/contract/first-messages'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Component, Suspense, type ReactNode } from 'react'
import { CallError, UnreachableError } from '#lib/call.ts'
import {
  NoMerchantError,
  NoMerchantNotice,
  SecondStepNeeded,
  SecondStepNeededError,
} from '#sign-in/public.ts'
import { Button } from '#ui/button.tsx'
import { FullPage } from '#ui/full-page.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { leave } from './leave.ts'

/** What a route shows when its loader or its rendering failed. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  if (error instanceof NoMerchantError) return <NoMerchantNotice onSignOut={() => void leave()} />
  if (error instanceof SecondStepNeededError) return <SecondStepFirst />
  if (error instanceof CallError && error.status === 404) return <NotFoundPage />
  const couldNotLoad = error instanceof CallError || error instanceof UnreachableError || isMissingPart(error)
  if (couldNotLoad) return <GenericError onRetry={() => location.reload()} />
  return <RenderError onContinue={reset} />
}

function SecondStepFirst() {
  // Afterwards a full page load, so that nothing stands that was refused before.
  return (
    <Suspense>
      <SecondStepNeeded onDone={() => location.reload()} onSignOut={() => void leave()} />
    </Suspense>
  )
}

/** What this page answers in words of its own is no fault that anybody has to look into. */
export function isDesigned(error: unknown): boolean {
  const designed = [NoMerchantError, SecondStepNeededError, CallError, UnreachableError]
  return designed.some((kind) => error instanceof kind)
}

/** A part of the page could not be fetched: no network, or a newer version of the desk was installed. */
function isMissingPart(error: unknown): boolean {
  return error instanceof TypeError && /module|import/i.test(error.message)
}

function GenericError({ onRetry }: { onRetry: () => void }) {
  return (
    <FullPage title={messages.genericErrorPage}>
      <p>The server did not answer as expected. Nothing you entered before was lost.</p>
      <Button onClick={onRetry}>Try Again</Button>
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
          location.assign('/')
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
