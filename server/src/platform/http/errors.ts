import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { namedAs } from '@cellarhand/contract/product-name'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasLostDatabase, isLockedElsewhere } from '../db/database.ts'
import { ProviderError } from '../outside/provider-error.ts'
import { NoTurn } from '../turns/turns.ts'
import { Refused } from './refuse.ts'
import { fieldErrors } from './validation.ts'

const databaseRetrySeconds = 2
const busyRetrySeconds = 1

/** Turns every error into an answer; no other place does. */
export async function answerError(
  error: FastifyError | Refused | Error,
  { request, reply, productName }: { request: FastifyRequest; reply: FastifyReply; productName: string },
): Promise<void> {
  const refused = toRefused(error)
  if (refused === undefined) {
    request.log.error({ err: error, requestId: request.id }, 'unexpected error')
    reply.header('cache-control', 'no-store')
    return void (await reply.code(500).send({ message: new Refused('internal').message, code: 'internal' }))
  }
  if (error instanceof ProviderError)
    request.log.warn({ err: error, requestId: request.id }, 'provider failed')
  if (refused.code === 'database_unavailable' && refused !== error)
    request.log.error({ err: error }, 'database away')
  if (refused.details.retryAfterSeconds !== undefined)
    reply.header('retry-after', refused.details.retryAfterSeconds)
  if (refused.code === 'bad_client_credential') reply.header('www-authenticate', 'Basic realm="cellarhand"')
  reply.header('cache-control', 'no-store')
  const body = refused.toBody()
  await reply.code(refused.status).send({ ...body, message: namedAs(productName, refused.message) })
}

/** Whether nobody foresaw the error, so that the answer is 500. */
export function isUnexpected(error: Error): boolean {
  return toRefused(error) === undefined
}

function toRefused(error: FastifyError | Error): Refused | undefined {
  if (error instanceof Refused) return error
  if (error instanceof NoTurn) return new Refused('too_busy', { retryAfterSeconds: busyRetrySeconds })
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
  await reply.code(404).send(new Refused('not_found').toBody())
}

/** Answers input that Node cannot read as a request, or not in time, before it closes the connection. */
export function answerNoHttp(error: Error & { code?: string }, socket: Socket): void {
  // Node's own handler reads the same field: no second answer may follow one that has begun.
  const { _httpMessage: answer } = socket as Socket & { _httpMessage?: ServerResponse | null }
  if (socket.writable && answer?.headersSent !== true && error.code !== 'ECONNRESET') {
    const refused = refusalOf(error.code)
    const body = JSON.stringify(refused.toBody())
    socket.write(
      `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroySoon()
}

function refusalOf(code: string | undefined): Refused {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refused('body_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refused('request_timeout')
  return new Refused('malformed_body', { message: 'The request is not valid HTTP.' })
}
