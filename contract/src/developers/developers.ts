import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'

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
