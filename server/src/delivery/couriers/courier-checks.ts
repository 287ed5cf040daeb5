import { refuse } from '#platform/http/refuse.ts'
import { dayIn } from '#platform/clock/zoned-time.ts'
import type { Statements } from '#platform/db/database.ts'
import type { Staff } from '#platform/http/caller.ts'
import { getDutyBook, type DutyBook } from '#duties/public.ts'
import type { CourierServices } from './courier.ts'

/** An owner's word that a courier service checks IDs by its agreement with the shop. */
export interface Reliance {
  readonly agreement: string
  readonly by: string
  /** The shop's day. */
  readonly on: string
}

interface Row {
  readonly service: string
  readonly is_relied_on: boolean
  readonly reason: string
  readonly decided_by: string
  readonly decided_at: Date
  readonly timezone: string
}

/** Undefined while no owner relies on the service. */
export async function findReliance(
  statements: Statements,
  merchantId: string,
  service: string,
): Promise<Reliance | undefined> {
  return (await readReliances(statements, merchantId)).get(service)
}

async function readReliances(
  { query }: Statements,
  merchantId: string,
): Promise<ReadonlyMap<string, Reliance>> {
  const rows = await query<Row>(
    `select distinct on (service) service, is_relied_on, reason, decided_by, decided_at, timezone
     from courier_checks join merchants using (merchant_id)
     where merchant_id = $1 order by service, decision_no desc`,
    [merchantId],
  )
  return new Map(
    rows.flatMap(({ service, is_relied_on: isRelied, ...row }) =>
      isRelied
        ? [
            [
              service,
              {
                agreement: row.reason,
                by: row.decided_by,
                on: dayIn(row.decided_at.getTime(), row.timezone),
              },
            ],
          ]
        : [],
    ),
  )
}

export async function listCourierChecks(
  statements: Statements,
  merchantId: string,
  { all }: CourierServices,
): Promise<{ services: { service: string; slug: string; reliance: Reliance | null }[] }> {
  const reliances = await readReliances(statements, merchantId)
  return {
    services: all
      .filter((each) => !each.alwaysTellsIdCheck)
      .map(({ name, slug }) => ({ service: name, slug, reliance: reliances.get(name) ?? null })),
  }
}

interface Wish {
  readonly is_relied_on: boolean
  readonly reason: string
}

/** An owner relies on a service that tells no results, or does so no longer. Earlier decisions stay on record. */
export async function decideCourierCheck(
  { query }: Statements,
  { merchantId, userId, name, service }: Pick<Staff, 'merchantId' | 'userId' | 'name'> & { service: string },
  wish: Wish,
): Promise<void> {
  // Two owners at once: the second number is taken after the first is written.
  await query('select pg_advisory_xact_lock(hashtextextended($1, 57))', [merchantId])
  await query(
    `insert into courier_checks (merchant_id, service, decision_no, is_relied_on, reason, decided_by_id, decided_by)
     select $1, $2, coalesce(max(decision_no), 0) + 1, $3, $4, $5, $6
     from courier_checks where merchant_id = $1 and service = $2`,
    [merchantId, service, wish.is_relied_on, wish.reason.trim(), userId, name],
  )
}

/** The name of a service whose results may stay away. A service that tells them needs nobody's trust. */
export function silentService({ all }: CourierServices, slug: string): string {
  const found = all.find((each) => each.slug === slug && !each.alwaysTellsIdCheck)
  return found?.name ?? refuse('not_found')
}

/** Whether a rule asks for no more than the check. No agreement brings what the shop has to record of the ID itself. */
export async function asksForCheckAlone(
  statements: Statements,
  merchantId: string,
): Promise<(rule: { readonly rule: string }) => boolean> {
  const { rules } = await getDutyBook(statements, merchantId)
  return ({ rule }) => !recordsOf(rules, rule)
}

function recordsOf(rules: DutyBook['rules'], id: string): boolean {
  const found = rules.find(({ rule }) => rule.id === id)
  const value = (found?.decision?.value ?? found?.rule.value) as { record?: readonly unknown[] } | undefined
  return (value?.record?.length ?? 0) > 0
}
