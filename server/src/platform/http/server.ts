import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Access, Endpoint } from '@cellarhand/contract/endpoint'
import { endpoints } from '@cellarhand/contract/endpoints'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyBodyParser,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Clock } from '../clock/clock.ts'
import { askedBy } from '../turns/asker.ts'
import type { Lulls } from '../turns/lulls.ts'
import { createOpenCalls, type InLine } from '../turns/open-calls.ts'
import { admit, type Gatekeeper } from './access.ts'
import type { CallerOf, Person } from './caller.ts'
import { createCrowd, onlyFewAhead, type Join } from './crowd.ts'
import { answerError, answerNoHttp, answerNotFound, isUnexpected } from './errors.ts'
import { readIdempotencyKey, type IdempotentRequest } from './idempotency.ts'
import { isNestedTooDeep } from './nesting.ts'
import { siteOf } from './network.ts'
import { sendProblem } from './problem.ts'
import { refuse, Refused } from './refuse.ts'
import { createRequestIds, requestIdHeader } from './request-id.ts'
import { compileValidator } from './validation.ts'

/** For calls whose secret the server checks before it reads the body. */
const bodyLimitBytes = 1024 * 1024
/** For all others. The longest is a Sentry envelope of 200,000 characters. */
const openBodyLimitBytes = 256 * 1024
/** The time for a request to arrive with its whole body; the time for the answer does not count. */
const requestTimeoutMs = 30_000
const connectionsCheckingInterval = 5_000
/** Of one merchant: many screens that all fetch what a bulk accept has changed stay below it. */
const callsAtOnce = 300
/** So that one member, or one stolen token, leaves room for the colleagues. */
const callsOfOneAtOnce = 200
/** A caller to whom no byte of an answer can be written for so long is gone, or only there to keep our memory. */
const unreadAnswerMs = 60_000
/** For the next request on an open connection: longer than the proxies before us keep theirs, as the framework has it. */
const keepAliveTimeout = 72_000
/** While stopping: for the rest of a request, and for the rest of an answer. Containers are given ten seconds in all. */
const restOfRequestMs = 3_000
const restOfAnswerMs = 6_000
const openTo: ReadonlySet<Access> = new Set(['public', 'application', 'signed-link', 'provider'])
/** Providers call from a few networks and prove who they are, so their callbacks wait in no line. */
const inLineFor: ReadonlySet<Access> = new Set(['public', 'application', 'signed-link'])

export type StaticOf<S> = S extends TSchema ? Static<S> : undefined

/** A handler's input: the request's parts as the contract types them, and the caller. */
export interface Call<E extends Endpoint> {
  readonly params: StaticOf<E['params']>
  readonly query: StaticOf<E['query']>
  readonly body: StaticOf<E['body']>
  readonly caller: CallerOf<E['access']>
  readonly idempotent: IdempotentRequest | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** JSON text that goes out unchanged. */
export class JsonText {
  readonly bytes: Buffer
  readonly status: number | undefined
  /** As bytes: writing a long string to a socket costs Node more than twice as much as encoding it here. */
  constructor(text: string | Buffer, status?: number) {
    this.bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text
    this.status = status
  }

  toObject(): Record<string, unknown> {
    return JSON.parse(this.bytes.toString('utf8')) as Record<string, unknown>
  }
}

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<StaticOf<E['reply']> | JsonText | FastifyReply>

export interface Http {
  readonly app: FastifyInstance
  readonly lulls: Lulls | undefined
  /** Answers one call of the contract. A call with a doorway of its own has no other line. */
  serve<E extends Endpoint>(endpoint: E, handler: Handler<E>, options?: { hasOwnDoorway: boolean }): void
  /** Answers 501 to every call without a handler, except the absent ones; returns those calls. */
  serveRest(absent?: readonly Endpoint[]): string[]
  /** Every route is there. */
  complete(): Promise<void>
  /**
   * A request to this server itself, as if it came over the network; answers the status. It waits until every route is
   * there: the first request ends the time in which routes can be added.
   */
  askSelf(path: string, headers: Record<string, string>, body: string): Promise<number>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** Files of the dashboard, the only routes outside the contract. */
    asset?: boolean
  }
  interface FastifyRequest {
    caller: Person | undefined
    rawBody: string
  }
}

export interface HttpOptions extends Gatekeeper {
  readonly clock: Clock
  /** Hears of each request. */
  readonly lulls?: Lulls | undefined
  /** Receives every error that is no refusal, with the call and the request's id. */
  readonly onUnexpectedError?: (
    error: unknown,
    facts: { call: string | undefined; requestId: string },
  ) => void
  readonly logger: FastifyBaseLogger
  readonly trustProxy: readonly string[]
  /** What the texts that name the product call it. */
  readonly productName: string
  /** Until a caller who reads nothing of an answer is cut off. */
  readonly unreadAnswerMs?: number
}

export function createHttp(options: HttpOptions): Http {
  const app = fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: openBodyLimitBytes,
    serverFactory: createNodeServer,
    trustProxy: options.trustProxy.length > 0 && [...options.trustProxy],
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    clientErrorHandler: answerNoHttp,
    // Fastify does not await this handler, and a rejection would end the process.
    frameworkErrors: (_error, request, reply) =>
      void answerNotFound(request, reply as never).catch(() => undefined),
    genReqId: createRequestIds(options.trustProxy),
  }) as unknown as FastifyInstance
  app.decorateRequest('caller', undefined)
  app.decorateRequest('rawBody', '')
  app.setValidatorCompiler(compileValidator)
  const { lulls } = options
  app.addHook('onRequest', async (request, reply) => {
    if (lulls !== undefined) reply.raw.once('close', lulls.requested())
    reply.header(requestIdHeader, request.id)
  })
  app.setErrorHandler(async (error: Error, request, reply) => {
    if (isUnexpected(error)) {
      const { endpoint } = request.routeOptions.config
      options.onUnexpectedError?.(error, { call: endpoint?.call, requestId: request.id })
    }
    await answerError(error, { request, reply, productName: options.productName })
  })
  readJsonBodies(app)
  refuseRoutesOutsideTheContract(app)
  letGoOfConnections(app, options.clock)
  cutOffWhoDoesNotRead(app, options.unreadAnswerMs ?? unreadAnswerMs)
  answerUnknownAddresses(app)
  app.addHook('onResponse', async (request, reply) => {
    const { url = 'unknown' } = request.routeOptions
    request.log.info({
      call: `${request.method} ${url}`,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    })
  })

  const served = new Set<string>()
  const join = createCrowd()
  const line = createOpenCalls(options.clock)
  const serve: Http['serve'] = (endpoint, handler, { hasOwnDoorway } = { hasOwnDoorway: false }) => {
    served.add(endpoint.call)
    const inLine = inLineFor.has(endpoint.access) && !hasOwnDoorway ? line : pastLine
    addRoute(app, { endpoint, handler: handler as unknown as Handler<Endpoint>, options, join, inLine })
  }
  function serveRest(absent: readonly Endpoint[] = []): string[] {
    const missing = endpoints.filter((endpoint) => !served.has(endpoint.call) && !absent.includes(endpoint))
    for (const endpoint of missing) serve(endpoint, async () => refuse('not_implemented'))
    return missing.map((endpoint) => endpoint.call)
  }
  const completed = Promise.withResolvers<void>()
  return {
    app,
    lulls,
    serve,
    serveRest,
    async complete() {
      await app.ready()
      completed.resolve()
    },
    async askSelf(url, headers, payload) {
      await completed.promise
      const own = { 'content-type': 'application/json', ...headers }
      return (await app.inject({ method: 'POST', url, headers: own, payload })).statusCode
    },
  }
}

function createNodeServer(answer: RequestListener): Server {
  const requestTimeout = requestTimeoutMs
  // Node swaps the two limits if the head may take longer than the whole.
  const limits = { requestTimeout, headersTimeout: requestTimeoutMs, connectionsCheckingInterval }
  // Node's own refusals of these two would pass by the count of requests.
  const server = createServer({ ...limits, keepAliveTimeout, requireHostHeader: false }, onlyFewAhead(answer))
  return server.on('checkExpectation', (...asked) => void server.emit('request', ...asked))
}

const pastLine: InLine = async (_place, work) => work()

interface RouteParts {
  endpoint: Endpoint
  handler: Handler<Endpoint>
  options: HttpOptions
  join: Join
  inLine: InLine
}

/** The party whose turns a call takes at the database. */
function askerOf({ access }: Endpoint, { ip, caller }: FastifyRequest): string {
  if (caller !== undefined) return `person ${caller.userId}`
  return access === 'marketplace' ? access : `network ${siteOf(ip)}`
}

/** A look is of no use to a caller who has hung up, such as the search for a name that was typed on. A change is made. */
function onHangUp({ method }: FastifyRequest, { raw }: FastifyReply) {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  return (leave: () => void): void => {
    if (raw.destroyed) leave()
    else raw.once('close', leave)
  }
}

function addRoute(app: FastifyInstance, { endpoint, handler, options, join, inLine }: RouteParts): void {
  const [method = '', path = ''] = endpoint.call.split(' ')
  const isStream = endpoint.media === 'text/event-stream'
  const isIdempotent = 'idempotency-key' in endpoint.headers
  const admitted = (request: FastifyRequest) =>
    askedBy(askerOf(endpoint, request), () => admit(endpoint, request, options))
  app.route({
    method,
    bodyLimit: openTo.has(endpoint.access) ? openBodyLimitBytes : bodyLimitBytes,
    exposeHeadRoute: !isStream,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { endpoint },
    schema: {
      params: endpoint.params,
      querystring: endpoint.query,
      ...(endpoint.body === undefined ? {} : { body: endpoint.body }),
    },
    async onRequest(request, reply) {
      const caller = await admitted(request)
      request.caller = caller
      if (caller === undefined || isStream) return
      const rooms = [
        { of: `person ${caller.userId}`, most: callsOfOneAtOnce },
        ...(caller.merchantId === null ? [] : [{ of: caller.merchantId, most: callsAtOnce }]),
      ]
      if (!join(reply.raw, rooms)) refuse('too_much_at_once', { retryAfterSeconds: 1 })
    },
    // A call without a body counts as one with an empty object: its schema then names the missing fields.
    async preValidation(request) {
      if (endpoint.body !== undefined && request.body === undefined) request.body = {}
      // A slow body can take minutes, and the session or the permission can end meanwhile.
      if (method !== 'GET') request.caller = await admitted(request)
    },
    async handler(request, reply) {
      const caller = request.caller
      const call = {
        params: request.params,
        query: request.query,
        body: request.body,
        caller: caller as CallerOf<Access>,
        idempotent: isIdempotent
          ? readIdempotencyKey(request, caller?.userId ?? endpoint.access, request.rawBody)
          : undefined,
        request,
        reply,
      } as Call<Endpoint>
      const result = await inLine(`${endpoint.call} ${siteOf(request.ip)}`, () =>
        askedBy(askerOf(endpoint, request), () => handler(call), onHangUp(request, reply)),
      )
      if (reply.sent || result === reply) return reply
      if (result instanceof JsonText) {
        const status = result.status ?? endpoint.status
        // A kept refusal, which may come from before an update of this server.
        if (status >= 400)
          return sendProblem({ request, reply, productName: options.productName }, status, result.toObject())
        return reply.code(status).type('application/json; charset=utf-8').send(result.bytes)
      }
      return reply.code(endpoint.status).send(result)
    },
  })
}

function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  const readJson: FastifyBodyParser<string> = (request, body, done) => {
    request.rawBody = body
    if (request.rawBody === '') return done(null, undefined)
    if (isNestedTooDeep(body))
      return done(
        new Refused('malformed_body', { message: 'The request body is nested too deeply.' }),
        undefined,
      )
    return parse(request, request.rawBody, done)
  }
  app.addContentTypeParser('application/json', { parseAs: 'string' }, readJson)
  app.addContentTypeParser<string>('text/plain', { parseAs: 'string' }, (request, body, done) =>
    request.routeOptions.config.endpoint?.isJsonAsText === true
      ? readJson(request, body, done)
      : done(new Refused('unsupported_media_type'), undefined),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (request, body, done) => {
      if (request.routeOptions.config.endpoint?.isForm !== true)
        return done(new Refused('unsupported_media_type'), undefined)
      request.rawBody = body.toString()
      return done(null, Object.fromEntries(new URLSearchParams(request.rawBody)))
    },
  )
}

/** Reads no body. A page visit has none, and continues to the dashboard. */
function answerUnknownAddresses(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404 && !['GET', 'HEAD'].includes(request.method)) await answerNotFound(request, reply)
  })
}

/**
 * Keeps a stop waiting for answers alone. Node would wait without end for a connection that never sent a request
 * (browsers open them early), for a request that never ends, and for a client that never reads its answer. It also
 * keeps a connection open after a request that was still under way.
 */
function letGoOfConnections(app: FastifyInstance, clock: Clock): void {
  const open = new Map<Socket, ServerResponse | undefined>()
  let isClosing = false
  const letGo = (isUseless: (socket: Socket, answer: ServerResponse | undefined) => boolean) => {
    for (const [socket, answer] of open) if (isUseless(socket, answer)) socket.destroy()
  }
  app.server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    // Node no longer knows the address of a connection that has gone, unless somebody has asked for it before.
    void socket.remoteAddress
    socket.once('close', () => open.delete(socket))
  })
  app.server.on('request', ({ socket }, answer) => open.set(socket, answer))
  app.addHook('preClose', async () => {
    isClosing = true
    letGo((socket) => socket.bytesRead === 0)
    const isIncomplete = (answer: ServerResponse | undefined) =>
      answer === undefined || !answer.req.complete || answer.writableFinished
    clock.after(restOfRequestMs, () => letGo((_socket, answer) => isIncomplete(answer)))
    clock.after(restOfAnswerMs, () => letGo((_socket, answer) => answer?.headersSent !== false))
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}

/**
 * From the answer on, since a command may take long before it. Node counts the time without a byte, and gives the
 * connection its other limits back when the answer is over. A stream of events has its own limit (`orders/live/stream.ts`).
 */
function cutOffWhoDoesNotRead(app: FastifyInstance, ms: number): void {
  app.addHook('onSend', async (_request, { raw: { socket } }) => {
    // A request of this server to itself has none.
    if (socket instanceof Socket) socket.setTimeout(ms)
  })
}

/** A call without a line in the contract has no policy, so the server does not start with it. */
function refuseRoutesOutsideTheContract(app: FastifyInstance): void {
  const known = new Set(endpoints)
  app.addHook('onRoute', (route) => {
    const { endpoint, asset } = route.config ?? {}
    if (asset === true || (endpoint !== undefined && known.has(endpoint))) return
    throw new Error(`The route ${String(route.method)} ${route.url} is not in the contract (contract/src).`)
  })
}
