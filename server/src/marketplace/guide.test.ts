import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openDesk, password } from '../../test/desk.ts'

const run = promisify(execFile)
const guide = new URL('../../../docs/marketplace.md', import.meta.url)

/** A refusal ends the script; by default curl treats it like any other answer. */
const strictCurl = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }'

const blocks = (text: string, language: string) =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , content = '']) => content)

test.skipIf(process.platform === 'win32')('the commands of docs/marketplace.md work as written', async () => {
  const desk = await openDesk()
  const folder = await mkdtemp(path.join(tmpdir(), 'guide-'))
  try {
    const shop = await desk.openShop()
    const text = (await readFile(guide, 'utf8'))
      .replace('"merchant": "demo"', `"merchant": "${shop.key}"`)
      .replace('http://127.0.0.1:4400', desk.url)
      .replace('member@demo.test', shop.member.email)
      .replace('cellarhand-demo', password)
    const [order = ''] = blocks(text, 'json')
    await writeFile(path.join(folder, 'order.json'), order)
    await run('bash', ['-euo', 'pipefail', '-c', [strictCurl, ...blocks(text, 'sh')].join('\n')], {
      cwd: folder,
    })

    const { rows } = await desk.owner.query(
      `select status, document ->> 'tracking_id' as tracking_id,
           (select url from webhook_endpoint) as webhook from orders where merchant_id = $1`,
      [shop.key],
    )
    expect(rows).toEqual([
      {
        status: 'CLOSED',
        tracking_id: '1Z999AA10123456784',
        webhook: 'http://localhost:9000/hook',
      },
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
    await desk.stop()
  }
})
