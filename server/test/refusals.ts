import type { Answer } from './desk.ts'

/** The specified fields of a refusal. The check of every reply looks at those of RFC 9457 beside them. */
export function saidBy({ refusal }: Answer<unknown>): Record<string, unknown> {
  const {
    type: _type,
    title: _title,
    status: _status,
    detail: _detail,
    instance: _instance,
    ...said
  } = refusal
  return said
}

/** The text without the id of its request, to compare it with another answer's. */
export function textOf({ text, headers }: Answer<unknown>): string {
  return text.replaceAll(headers.get('x-request-id') ?? 'no id', '')
}

/** Everything that a caller sees of an answer, but its moment and the id of its request. */
export function visible(answer: Answer<unknown>) {
  const passing = new Set(['date', 'x-request-id'])
  return {
    status: answer.status,
    text: textOf(answer),
    headers: [...answer.headers].filter(([name]) => !passing.has(name)),
  }
}
