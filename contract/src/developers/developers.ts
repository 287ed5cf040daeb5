import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'

/**
 * The version of the description, as Semantic Versioning counts: the second number grows with each addition, the first
 * with a change that can break a client. docs/marketplace.md has the rules.
 */
export const apiVersion = '2.16.0'

export const readApiDocumentation = endpoint({
  call: 'GET /docs/merchant-api',
  summary: 'This documentation as a page',
  access: 'public',
  reply: Type.String(),
  media: 'text/html',
})
export const readOpenApi = endpoint({
  call: 'GET /docs/openapi.json',
  summary: 'This documentation as an OpenAPI description',
  access: 'public',
  reply: Type.Unknown(),
})
