import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { nullable, object, text } from '../wire/fields.ts'

export const documentNames = ['welcome_message', 'merchant_dashboard_news'] as const

export const getDocument = endpoint({
  call: 'GET /v1/documents/{name}',
  summary: 'A published banner document; 404 when nothing is published',
  access: 'public',
  params: object({
    name: Type.Enum([...documentNames]),
  }),
  reply: object({
    name: Type.String(),
    data: object({
      notification_text: Type.String(),
      message: nullable(Type.String()),
      modal_title: nullable(Type.String()),
      notification_color: nullable(Type.String()),
    }),
  }),
})
export const getStaticMap = endpoint({
  call: 'GET /maps/static',
  summary: 'Map picture of an address',
  access: 'public',
  query: object({
    center: text(500),
    zoom: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    size: Type.Optional(Type.String({ pattern: '^[1-9]\\d{1,3}x[1-9]\\d{1,3}$' })),
  }),
  reply: Type.String(),
  media: 'image/*',
})
/** The picture for a product that has none: its kind of bottle in its colour. */
export const drawBottle = endpoint({
  call: 'GET /images/bottles/{name}',
  summary: 'A drawn bottle, such as red-1-380x490.svg: kind, label style, width and height',
  access: 'public',
  params: object({
    name: Type.String({ maxLength: 60, pattern: '^[a-z]+-[0-9]-[1-9]\\d{1,3}x[1-9]\\d{1,3}\\.svg$' }),
  }),
  reply: Type.String(),
  media: 'image/*',
})
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
