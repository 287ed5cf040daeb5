import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { noteBackup } from '#platform/backup/write-backup.ts'
import { openDesk, type Desk } from '../../test/desk.ts'

let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(async () => desk.stop())

test('GAP-01 the process reports that it runs, and that its database answers', async () => {
  expect((await desk.call('GET /healthz')).body).toEqual({ status: 'ok' })
  expect((await desk.call('GET /readyz')).body).toEqual({ status: 'ok' })
})

test('every answer carries the security headers, whatever its kind', async () => {
  for (const [method, path] of [
    ['GET', '/healthz'],
    ['GET', '/nowhere'],
    ['GET', '/m/v2/orders/1'],
    ['POST', '/a/v2/sessions'],
    ['DELETE', '/healthz'],
  ] as const) {
    const { headers } = await desk.send(method, path)
    for (const name of [
      'content-security-policy',
      'x-content-type-options',
      'referrer-policy',
      'cross-origin-opener-policy',
      'permissions-policy',
    ])
      expect([path, name, headers.has(name)]).toEqual([path, name, true])
    expect([path, headers.get('cache-control'), headers.has('x-powered-by'), headers.has('server')]).toEqual([
      path,
      'no-store',
      false,
      false,
    ])
  }
})

test('the alert rules and the dashboard use figures that /metrics has', async () => {
  const { text } = await desk.call('GET /metrics')
  const there = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
  for (const file of ['alerts.yaml', 'grafana-dashboard.json']) {
    const used = (await readFile(new URL(`../../../ops/${file}`, import.meta.url), 'utf8')).match(
      /\b(cellarhand|process|nodejs)_\w+/g,
    )
    expect(used?.length).toBeGreaterThan(5)
    for (const name of used ?? []) expect([file, name, there.has(name)]).toEqual([file, name, true])
  }
})

test('the operator reads what waits, what is switched off, how full the disk is and how old the last backup', async () => {
  const figure = async (name: string) => {
    // The figures are kept for some seconds, so each look asks a server of its own.
    const fresh = await desk.another()
    try {
      const { text } = await fresh.call('GET /metrics')
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    } finally {
      await fresh.stop()
    }
  }
  // All of a server's workers look at the same time, and some wait a moment for the others.
  await expect.poll(() => figure('cellarhand_database_waits')).toBe(0)
  expect(await figure('cellarhand_disk_free_bytes')).toBeGreaterThan(1_000_000)
  expect(await figure('cellarhand_webhook_switched_off')).toBe(0)
  expect(await figure('cellarhand_last_backup_timestamp_seconds')).toBe(0)
  const before = Math.floor(Date.now() / 1000)
  await desk.owner.query(
    `insert into webhook_endpoint (url, secret_sealed, disabled_at) values ('https://gone.example', 'x', now())
     on conflict (only_row) do update set disabled_at = now()`,
  )
  const { rows } = await desk.owner.query<{ name: string }>('select current_database() as name')
  await noteBackup({ ...inject('databaseServer'), database: rows[0]?.name ?? '' })
  expect(await figure('cellarhand_webhook_switched_off')).toBe(1)
  expect(await figure('cellarhand_last_backup_timestamp_seconds')).toBeGreaterThanOrEqual(before)
})

test('the addresses of one IPv6 network share one limit of error reports', async () => {
  const behindProxy = await desk.another({ TRUST_PROXY: '1' })
  const report = (address: string) =>
    behindProxy.call('POST /insights/v1/errors', {
      headers: { 'x-forwarded-for': address },
      body: { message: 'x' },
    })
  try {
    for (let host = 1; host <= 64; host++) await report(`2001:db8:1:2:${host.toString(16)}::1`)
    await report('2001:db8:1:3::1')
    expect((await behindProxy.call('GET /metrics')).text).toMatch(/^cellarhand_client_errors_total 61$/m)
  } finally {
    await behindProxy.stop()
  }
})
