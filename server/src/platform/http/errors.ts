import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findClosedMerchant } from '../db/closed-merchant.ts'
import { hasLostDatabase, isLockedElsewhere } from '../db/database-errors.ts'
import { ProviderError } from '../outside/provider-error.ts'
import { NotDone } from '../side-process/side-process.ts'
import { NoTurn } from '../turns/turns.ts'
import { sendProblem, toProblem } from './problem.ts'
import { Refused, refusalOfClosed } from './refuse.ts'
import { requestIdHeader } from './request-id.ts'
import { fieldErrors } from './validation.ts'

const databaseRetrySeconds = 2
const busyRetrySeconds = 1

/** Turns every error into an answer; no other place does. */
export async function answerError(
  error: FastifyError | Refused | Error,
  { request, reply, productName }: { request: FastifyRequest; reply: FastifyReply; productName: string },
): Promise<void> {
  const refused = toldToPage(toRefused(error), request)
  if (refused === undefined) {
    request.log.error({ err: error, requestId: request.id }, 'unexpected error')
    return void (await sendProblem({ request, reply, productName }, 500, new Refused('internal').toBody()))
  }
  if (error instanceof ProviderError)
    request.log.warn({ err: error, requestId: request.id }, 'provider failed')
  if (error instanceof NotDone)
    request.log.warn({ err: error, requestId: request.id }, 'work not done in time')
  if (refused.code === 'database_unavailable' && refused !== error)
    request.log.error({ err: error }, 'database away')
  if (refused.details.retryAfterSeconds !== undefined)
    reply.header('retry-after', refused.details.retryAfterSeconds)
  if (refused.details.movedTo !== undefined)
    reply.header('location', `${refused.details.movedTo}${request.url}`)
  if (refused.code === 'bad_client_credential') reply.header('www-authenticate', 'Basic realm="cellarhand"')
  await sendProblem({ request, reply, productName }, refused.status, refused.toBody())
}

/**
 * A script of our page cannot follow a redirect to another server, and does not learn its address: the clerk
 * would read that nothing answered. A navigation can, and so can any program.
 */
function toldToPage(refused: Refused | undefined, { headers }: FastifyRequest): Refused | undefined {
  const { movedTo, advice = 'Please sign in there.' } = refused?.details ?? {}
  const isScript = headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] === 'empty'
  if (movedTo === undefined || !isScript) return refused
  return new Refused('merchant_moved_away', {
    message: `This shop has moved to ${movedTo}. ${advice}`,
  })
}

/** Whether nobody foresaw the error, so that the answer is 500. */
export function isUnexpected(error: Error): boolean {
  return toRefused(error) === undefined
}

function toRefused(error: FastifyError | Error): Refused | undefined {
  if (error instanceof Refused) return error
  const closed = findClosedMerchant(error)
  if (closed !== undefined) return refusalOfClosed(closed)
  if (error instanceof NoTurn || error instanceof NotDone)
    return new Refused('too_busy', { retryAfterSeconds: busyRetrySeconds })
  if (isLockedElsewhere(error))
    return new Refused('changed_elsewhere', { retryAfterSeconds: busyRetrySeconds })
  if (error instanceof ProviderError) {
    const retryAfterSeconds =
      error.retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(error.retryAfterMs / 1000) }
    return new Refused('provider_error', { message: error.advice, ...retryAfterSeconds })
  }
  if (!('statusCode' in error)) {
    if (!hasLostDatabase(error)) return undefined
    return new Refused('database_unavailable', { retryAfterSeconds: databaseRetrySeconds })
  }
  if (error.validation) return new Refused('validation_failed', { errors: fieldErrors(error.validation) })
  if (error.statusCode === 413) return new Refused('body_too_large')
  if (error.statusCode === 415) return new Refused('unsupported_media_type')
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new Refused('malformed_body')
  return undefined
}

export async function answerNotFound(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  request.log.debug({ status: 404, reason: STATUS_CODES[404] })
  // An address that cannot be read comes here past every hook.
  reply.header(requestIdHeader, request.id)
  await sendProblem({ request, reply }, 404, new Refused('not_found').toBody())
}

/** Answers input that Node cannot read as a request, or not in time, before it closes the connection. */
export function answerNoHttp(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  // Node's own handler reads the same field: no second answer may follow one that has begun.
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null }
  if (socket.writable && answer?.headersSent !== true && error.code !== 'ECONNRESET') {
    const refused = refusalOf(error.code)
    const { status } = refused
    const requestId = crypto.randomUUID()
    this.log.info({ reqId: requestId, status, code: refused.code }, 'what arrived is no request')
    const body = JSON.stringify(toProblem(refused.toBody(), { status, requestId }))
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `${requestIdHeader}: ${requestId}`,
      'connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroySoon()
}

function refusalOf(code: string | undefined): Refused {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refused('body_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refused('request_timeout')
  return new Refused('malformed_body', { message: 'The request is not valid HTTP.' })
}
