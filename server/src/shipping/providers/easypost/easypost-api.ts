import type { LabelCarrier } from '@cellarhand/contract/carriers'
import type { Outside } from '#platform/outside/outside.ts'
import { ProviderError } from '#platform/outside/provider-error.ts'
import type { LabelRefused } from '../../port/shipping-port.ts'
import { readError, refusalOf } from './label-error-of.ts'

export const easyPostName = 'EasyPost'

export type Api = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<unknown>

export function apiOf(outside: Outside, { baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Api {
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
  return async (method, path, body) => {
    const { json } = await outside.call({
      method,
      url: `${baseUrl}${path}`,
      headers: { authorization },
      ...(body === undefined ? {} : { json: body }),
    })
    return json
  }
}

/** With these codes the result is unknown: EasyPost may still be working on the purchase. */
const unknownOutcomes = ['SHIPMENT.POSTAGE.NO_RESPONSE', 'SHIPMENT.PURCHASE.IN_PROGRESS']

export function afterPurchase(error: ProviderError): Error {
  if (error.code !== undefined && unknownOutcomes.includes(error.code))
    return new ProviderError({
      provider: easyPostName,
      kind: 'no_answer',
      code: error.code,
      requestId: error.requestId,
    })
  return error.kind === 'rejected' || error.kind === 'unauthorized' ? toRefusal(error) : error
}

export function toRefusal(error: ProviderError, carrier: string | null = null): LabelRefused {
  const usual = error.kind === 'unauthorized' ? 'account_unauthorized' : undefined
  return refusalOf(readError(error.answer, carrier), usual)
}

const carrierNames: Readonly<Record<string, LabelCarrier>> = {
  FedEx: 'FedEx',
  FedExDefault: 'FedEx',
  UPS: 'UPS',
  UPSDAP: 'UPS',
  GSO: 'GSO',
}

export function carrierNameOf(carrier: string): string {
  return Object.hasOwn(carrierNames, carrier) ? (carrierNames[carrier] ?? carrier) : carrier
}
