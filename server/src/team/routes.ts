import * as lines from '@cellarhand/contract/team'
import type { Database } from '#platform/db/database.ts'
import { createSystemCommands } from '#platform/http/command.ts'
import { advisingWhenMoved } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import type { Stationery } from '#platform/mail/outgoing.ts'
import { changeRoles } from './commands/change-roles.ts'
import { inviteUser } from './commands/invite-user.ts'
import { askForInvitation, joinTeam } from './commands/join-team.ts'
import { requireSecondStep } from './commands/require-second-step.ts'
import { resendInvitation } from './commands/resend-invitation.ts'
import { revokeAccess } from './commands/revoke-access.ts'
import { withdrawInvitation } from './commands/withdraw-invitation.ts'
import { getRoles, isSecondStepRequired, listTeam, readInvitation } from './reads.ts'

export interface TeamDeps {
  readonly db: Database
  readonly stationery: Stationery
  /** Where the links of mails lead; no request can change it. Refuses when nobody has told the server. */
  readonly mailUrl: () => string
  /** Called when a mail was promised, so that it leaves at once. */
  readonly onMail: () => void
}

export function serveTeam(http: Http, { db, stationery, mailUrl, onMail }: TeamDeps): void {
  const { serve } = http
  const systemCommand = createSystemCommands(http, { db, onChange: onMail })
  serve(lines.listTeam, async ({ caller }) => listTeam(db, caller.merchantId))
  serve(lines.getTwoStepRequirement, async ({ caller }) => ({
    is_required: await isSecondStepRequired(db, caller.merchantId),
  }))
  systemCommand(lines.requireTwoStep, (statements, { caller, body }) =>
    requireSecondStep(statements, caller, body),
  )
  serve(lines.listRoles, async ({ caller, params }) => getRoles(db, caller, params.id))
  systemCommand(lines.changeRoles, (statements, { caller, params, body }) =>
    changeRoles(statements, caller, { ...params, ...body }),
  )
  systemCommand(lines.revokeAccess, (statements, { caller, params }) =>
    revokeAccess(statements, caller, params.id),
  )
  serve(lines.inviteUser, async ({ caller, body }) => {
    const user = await inviteUser({ db, stationery, publicUrl: mailUrl() }, caller, body)
    onMail()
    return user
  })
  serve(lines.resendInvitation, async ({ caller, params }) => {
    const user = await resendInvitation({ db, stationery, publicUrl: mailUrl() }, caller, params.id)
    onMail()
    return user
  })
  systemCommand(lines.withdrawInvitation, (statements, { caller, params }) =>
    withdrawInvitation(statements, caller, params.id),
  )
  serve(lines.readInvitation, async ({ body }) => readInvitation(db, body.token))
  systemCommand(lines.joinTeam, (statements, { body }) =>
    // The account that the link belongs to stays in this cell.
    advisingWhenMoved(
      () => askForInvitation,
      () => joinTeam(statements, body.token),
    ),
  )
}
