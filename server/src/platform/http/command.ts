import type { Endpoint } from '@cellarhand/contract/endpoint'
import type { Permission } from '@cellarhand/contract/permissions'
import { requireOpen } from '../db/closed-merchant.ts'
import type { Database, Statements } from '../db/database.ts'
import type { Person, Staff } from './caller.ts'
import { runCommand } from './idempotency.ts'
import { JsonText, type Call, type Http, type StaticOf } from './server.ts'

interface CommandDeps {
  readonly db: Database
  /** Called after each commit, so that a worker or a screen looks at once. */
  readonly onChange?: (merchantId: string) => void
}

/** Answers the reply, or its JSON text. */
type Run<E extends Endpoint> = (
  statements: Statements,
  call: Call<E> & { readonly merchantId: string },
) => Promise<StaticOf<E['reply']> | string>

type StaffLine = Endpoint & { readonly access: Permission }

/** The one form of a call that changes a merchant's rows: one transaction, and one reply for each idempotency key. */
export function createCommands({ serve }: Pick<Http, 'serve'>, { db, onChange }: CommandDeps) {
  /** For a call that does not come from the merchant's staff. */
  function commandFor<E extends Endpoint>(
    line: E,
    merchantOf: (call: Call<E>) => string | Promise<string>,
    run: Run<E>,
  ): void {
    serve(line, async (call) => {
      const merchantId = await merchantOf(call)
      const { idempotent } = call
      const reply = await runCommand(db, { merchantId, idempotent }, async (statements) => {
        const result = await run(statements, { ...call, merchantId })
        return { status: line.status, text: typeof result === 'string' ? result : JSON.stringify(result) }
      })
      onChange?.(merchantId)
      return new JsonText(reply.text, reply.status)
    })
  }
  function command<E extends StaffLine>(line: E, run: Run<E>): void {
    commandFor(line, ({ caller }) => (caller as Staff).merchantId, run)
  }
  return { command, commandFor }
}

interface SystemCommandDeps {
  readonly db: Database
  /** Called after each commit, so that the mails leave at once. */
  readonly onChange: () => void
}

/** For rows of people, which only the system may write; such a line takes no idempotency key. */
export function createSystemCommands({ serve }: Pick<Http, 'serve'>, { db, onChange }: SystemCommandDeps) {
  return function systemCommand<E extends Endpoint>(
    line: E,
    run: (statements: Statements, call: Call<E>) => Promise<StaticOf<E['reply']>>,
  ): void {
    serve(line, async (call) => {
      const merchantId = (call.caller as Person | undefined)?.merchantId ?? null
      const reply = await db.system(async (statements) => {
        if (merchantId !== null) await requireOpen(statements, merchantId)
        return run(statements, call)
      })
      onChange()
      return reply
    })
  }
}
