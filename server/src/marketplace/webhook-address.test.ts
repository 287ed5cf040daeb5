import { expect, test } from 'vitest'
import { liveSettings, marketplaceCredential, openDesk } from '../../test/desk.ts'

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

/** What a server with these settings answers to each address. */
async function answersTo(
  settings: Record<string, string>,
  addresses: readonly string[],
): Promise<(number | string | undefined)[][]> {
  const desk = await openDesk(settings)
  try {
    const as =
      'MARKETPLACE_CREDENTIAL' in settings
        ? `Basic ${Buffer.from(settings['MARKETPLACE_CREDENTIAL'] ?? '').toString('base64')}`
        : marketplaceCredential
    const answers: (number | string | undefined)[][] = []
    for (const url of addresses) {
      const { status, refusal } = await desk.call('PUT /marketplace/v1/webhook', {
        as,
        body: { url, secret },
      })
      answers.push([url, status, ...(status === 200 ? [] : [refusal.errors?.['url']])])
    }
    return answers
  } finally {
    await desk.stop()
  }
}

const ofThisMachine = ['http://127.0.0.1:9/hook', 'https://localhost/hook', 'https://[::1]/hook']
const ofItsNetwork = [
  'https://10.0.0.5/hook',
  'https://192.168.1.1/hook',
  'https://169.254.169.254/latest',
  'https://[fd00::1]/hook',
  'https://[::ffff:10.0.0.5]/hook',
]
const refused = (url: string) => [url, 400, 'The address must be public']
const taken = (url: string) => [url, 200]

test('outside the demo no webhook leads to the server’s own machine or network', async () => {
  const open = ['https://hooks.example.com/cellarhand', 'https://8.8.8.8/hook']
  expect(await answersTo(liveSettings, [...ofThisMachine, ...ofItsNetwork, ...open])).toEqual([
    ...[...ofThisMachine, ...ofItsNetwork].map(refused),
    ...open.map(taken),
  ])
})

test('the demo calls its own machine, and still nothing else of its network', async () => {
  expect(await answersTo({}, [...ofThisMachine, ...ofItsNetwork])).toEqual([
    ...ofThisMachine.map(taken),
    ...ofItsNetwork.map(refused),
  ])
})

test.each([
  ['no address', 'Please give an absolute https address'],
  ['http://hooks.example.com/', 'The address must start with https://'],
  ['https://name:secret@hooks.example.com/', 'The address must not carry a user name or password'],
])('%s is refused with a reason', async (url, reason) => {
  expect(await answersTo({}, [url])).toEqual([[url, 400, reason]])
})
