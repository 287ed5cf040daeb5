import { useQueryClient } from '@tanstack/react-query'
import { call } from '#lib/calls/call.ts'
import { reasonOf } from '#lib/calls/reason-of.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { useTold } from '#ui/notes/told.ts'
import type { Colleague } from './queries.ts'
import { nameOf, teamQuery } from './queries.ts'

/** For a person who has not followed the link yet: mail it again, or withdraw the invitation. */
export function InvitationActions({ colleague }: { colleague: Colleague }) {
  const queryClient = useQueryClient()
  const params = { tmk: merchantKey(), id: colleague.uuid }
  const refresh = () => queryClient.invalidateQueries(teamQuery(merchantKey()))
  const action = `invitation of ${colleague.uuid}`
  const resend = useTold({
    action,
    attempt: () => call('POST /c/v2/merchants/{tmk}/users/{id}/invitation', { params, body: {} }),
    onSuccess: () => toast('success', `The invitation was sent to ${colleague.email} again.`),
    failure: (error) => [`The invitation wasn't sent again. ${reasonOf(error) ?? ''}`.trim()],
    onSettled: refresh,
  })
  const withdraw = useTold({
    action,
    attempt: () => call('DELETE /c/v2/merchants/{tmk}/users/{id}/invitation', { params }),
    onSuccess: () => toast('success', `The invitation of ${nameOf(colleague)} was taken back.`),
    failure: (error) => [`The invitation wasn't taken back. ${reasonOf(error) ?? ''}`.trim()],
    onSettled: refresh,
  })
  return (
    <>
      <Button
        look="plain"
        size="small"
        aria-label={`Resend the invitation of ${nameOf(colleague)}`}
        isBusy={resend.isPending}
        onClick={() => resend.mutate()}
      >
        Resend
      </Button>
      <Button
        look="plain"
        size="small"
        aria-label={`Withdraw the invitation of ${nameOf(colleague)}`}
        isBusy={withdraw.isPending}
        onClick={() => withdraw.mutate()}
      >
        Withdraw
      </Button>
    </>
  )
}
