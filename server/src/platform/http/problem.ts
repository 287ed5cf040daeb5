import { problemType } from '@cellarhand/contract/problem'
import { namedAs } from '@cellarhand/contract/product-name'
import { refusals } from '@cellarhand/contract/refusals'
import type { FastifyReply, FastifyRequest } from 'fastify'

const plainJson = 'application/json; charset=utf-8'
const problemJson = 'application/problem+json; charset=utf-8'

interface ProblemFacts {
  readonly status: number
  readonly requestId: string
  readonly productName?: string
}

/** The body of a refusal, completed by the fields of RFC 9457 (decision 0043). */
export function toProblem(
  body: Readonly<Record<string, unknown>>,
  { status, requestId, productName }: ProblemFacts,
): Record<string, unknown> {
  const named = (text: string) => (productName === undefined ? text : namedAs(productName, text))
  const code = String(body['code'])
  const message = named(String(body['message']))
  const usual = Object.hasOwn(refusals, code) ? refusals[code as keyof typeof refusals].message : message
  return {
    ...body,
    message,
    type: problemType(code),
    title: named(usual),
    status,
    detail: message,
    instance: requestId,
  }
}

interface Answering {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly productName?: string
}

/** Today's clients look for application/json, so the type of RFC 9457 goes only to a client that names it. */
export async function sendProblem(
  { request, reply, productName }: Answering,
  status: number,
  body: Readonly<Record<string, unknown>>,
): Promise<FastifyReply> {
  const names = (request.headers.accept ?? '').toLowerCase().includes('application/problem+json')
  const problem = toProblem(body, {
    status,
    requestId: request.id,
    ...(productName === undefined ? {} : { productName }),
  })
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type(names ? problemJson : plainJson)
    .send(JSON.stringify(problem))
}
