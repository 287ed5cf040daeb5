import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

interface Received {
  readonly from: string
  readonly to: string[]
  readonly source: string
}

interface Ways {
  /** The answer to the mail of this number. */
  readonly answer?: (count: number) => number | Promise<number>
  /** Recipients that it never accepts, with its words. */
  readonly refused?: Readonly<Record<string, string>>
  /** The password of `desk`; without one, nobody has to sign in. */
  readonly password?: string
}

export interface MailServer {
  readonly url: string
  readonly received: Received[]
  tries(): number
  stop(): Promise<void>
}

const failure = (code: number, words: string) => Object.assign(new Error(words), { responseCode: code })

/** A mail server that gives the wanted answers and keeps the accepted mails. */
export async function startMailServer({
  answer = () => 250,
  refused = {},
  password,
}: Ways = {}): Promise<MailServer> {
  const received: Received[] = []
  let count = 0
  const onData: SMTPServerOptions['onData'] = (stream, { envelope }, done) => {
    let source = ''
    stream.setEncoding('utf8').on('data', (text: string) => (source += text))
    stream.on('end', async () => {
      const code = await answer(++count)
      if (code === 250)
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source,
        })
      done(code === 250 ? null : failure(code, 'as told'))
    })
  }
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData,
    onRcptTo({ address }, _session, done) {
      const words = refused[address]
      done(words === undefined ? null : failure(550, words))
    },
    onAuth({ password: given }, _session, done) {
      if (given === password) done(null, { user: 'desk' })
      else done(failure(535, '5.7.8 The password is wrong'))
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://${password === undefined ? '' : 'desk:wrong@'}127.0.0.1:${port}`,
    received,
    tries: () => count,
    stop: async () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
