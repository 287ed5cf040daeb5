import { resumeSession, signIn, signOut } from '@cellarhand/contract/sign-in'
import type { Http } from '#platform/http/server.ts'
import { renewSession } from './commands/renew-session.ts'
import { startSession, type SignInDeps } from './commands/start-session.ts'

export function serveSignIn({ serve }: Http, deps: SignInDeps): void {
  serve(signIn, async ({ body }) => startSession(deps, body))
  serve(resumeSession, async ({ caller }) => renewSession(deps, caller))
  serve(signOut, async ({ caller }) => {
    await deps.db.systemQuery('update sessions set ended_at = now() where session_id = $1', [
      caller.sessionId,
    ])
    return {}
  })
}
