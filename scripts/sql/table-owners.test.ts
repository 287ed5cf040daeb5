import { expect, test } from 'vitest'
import { readSql, serverSources, type Write } from './read-sql.ts'

/** The one slice that writes each table (decision 0035). Every slice may read it. */
const owners: Readonly<Record<string, readonly string[]>> = {
  platform: [
    'idempotent_replies',
    'jobs',
    'last_backup',
    'live_state',
    'merchant_moves',
    'merchant_secrets',
    'outbox',
    'outgoing_mails',
    'provider_health',
    'rate_limits',
    'received_events',
  ],
  'sign-in': ['known_networks', 'one_time_tokens', 'recovery_codes', 'sessions', 'users'],
  team: ['team_invitations'],
  merchants: ['merchants'],
  orders: [
    'age_check_fields',
    'alarm_rules',
    'applications',
    'order_alarms',
    'order_counts',
    'order_history',
    'order_keys',
    'order_presence',
    'order_search',
    'orders',
  ],
  inventory: ['offerings'],
  delivery: [
    'courier_checks',
    'courier_deliveries',
    'courier_proofs',
    'sandbox_couriers',
    'sandbox_texts',
    'text_messages',
    'text_opt_outs',
  ],
  documents: ['batch_orders', 'batch_papers', 'batches'],
  shipping: [
    'carrier_accounts',
    'label_files',
    'label_purchases',
    'label_quotes',
    'sandbox_parcels',
    'shipping_labels',
  ],
  duties: ['closing_decisions', 'duty_checks', 'duty_decisions', 'duty_rule_versions', 'duty_rules'],
  notes: ['note_changes', 'notes'],
  picks: ['picks'],
  views: ['saved_view_locks', 'saved_views'],
  records: ['inspector_files', 'purged'],
  billing: ['billing_records', 'sandbox_payment_accounts'],
  marketplace: ['webhook_endpoint'],
  substitutes: ['substitute_offers', 'substitute_settings'],
  watch: ['push_devices', 'push_keys', 'push_messages', 'watch_screens', 'watch_texts', 'watches'],
  content: ['documents'],
}

/** They write the table that they are given, or all tables alike. */
const writesAnyTable = [
  'platform/backup/fill-database.ts',
  'platform/backup/restore-backup.ts',
  'platform/backup/write-backup.ts',
  'platform/cells/import-merchant.ts',
  'platform/cells/move-merchant.ts',
  'platform/jobs/claim.ts',
  'platform/upkeep/clean-up.ts',
  'platform/upkeep/keep-parts.ts',
  'platform/upkeep/rotate-key.ts',
  'records/purge-by-rule.ts',
]

const ownerOf = new Map(
  Object.entries(owners).flatMap(([slice, tables]) => tables.map((table) => [table, slice])),
)

function offences(writes: readonly Write[]): string[] {
  return writes.flatMap(({ file, table }) => {
    if (table === '$') return writesAnyTable.includes(file) ? [] : [`${file} writes a table without a name`]
    const owner = ownerOf.get(table)
    if (owner === undefined) return [`${file} writes ${table}, which no slice owns`]
    return file.startsWith(`${owner}/`) ? [] : [`${file} writes ${table}, which belongs to ${owner}`]
  })
}

test('a table has one writing slice', () => {
  const writes = serverSources().flatMap(([file, source]) => readSql(file, source).writes)
  expect(offences(writes)).toEqual([])
  // The list names no table that nobody writes.
  expect([...new Set(writes.map(({ table }) => table))].filter((table) => table !== '$').toSorted()).toEqual(
    [...ownerOf.keys()].toSorted(),
  )
})

test('a second writer is found, in every form of a statement', () => {
  const breach = (source: string) => offences(readSql('team/invite-user.ts', source).writes)
  const foreign = ['team/invite-user.ts writes users, which belongs to sign-in']
  for (const statement of [
    'insert into users (user_id) values ($1)',
    "update users set roles = '{}'",
    'delete from users where user_id = $1',
    'DELETE\n  FROM users',
    'with gone as (delete from users returning 1) select 1 from gone',
    'merge into users using people on true when matched then delete',
    'truncate users',
    'truncate table only users',
    'copy users from stdin',
  ])
    expect([statement, breach(`query(\`${statement}\`, [id])`)]).toEqual([statement, foreign])
  expect(breach("const mails = { table: 'users', due: 'due_at' }")).toEqual(foreign)
  expect(breach('query(`update users set name = ${name}, roles = $1`)')).toEqual(foreign)
  expect(breach("query('insert into crates (id) values ($1)')")).toEqual([
    'team/invite-user.ts writes crates, which no slice owns',
  ])
  expect(breach('query(`update ${table} set a = 1`)')).toEqual([
    'team/invite-user.ts writes a table without a name',
  ])
  expect(breach("query('select 1 from users where user_id = $1 for no key update')")).toEqual([])
  expect(breach("query('select 1 from users for update of users')")).toEqual([])
  expect(breach("query('insert into users values (1) on conflict do update set a = 1')")).toEqual(foreign)
  expect(breach("query('update users as u set a = 1')")).toEqual(foreign)
  expect(breach('// update users set roles')).toEqual([])
  expect(breach("say('Please update the page, or copy this address.')")).toEqual([])
})
