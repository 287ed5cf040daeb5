import { Type } from 'typebox'
import { endpoint } from '../wire/endpoint.ts'
import { nullable, object } from '../wire/fields.ts'

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
