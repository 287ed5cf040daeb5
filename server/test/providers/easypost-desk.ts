import { expect } from 'vitest'
import { openTurnableDesk, type DeskCalls, type Shop, type TurnableDesk } from '../desk.ts'
import { startEasyPost, type EasyPostServer } from './easypost-server.ts'

export interface EasyPostDesk {
  readonly easyPost: EasyPostServer
  readonly desk: TurnableDesk
  /** Its carrier account is at UPS. */
  readonly shop: Shop
  readonly webhookSecret: string
  stop(): Promise<void>
}

const apiKey = 'EZTK-test'
// A letter that Unicode writes in two ways: EasyPost signs with the decomposed one.
const webhookSecret = 'a-wébhook-secret'

/** The server's settings for this EasyPost. */
export const easyPostSettings = ({ url }: EasyPostServer) => ({
  EASYPOST_API_KEY: apiKey,
  EASYPOST_WEBHOOK_SECRET: webhookSecret,
  EASYPOST_BASE_URL: url,
})

export async function startEasyPostWithUps(): Promise<EasyPostServer> {
  const easyPost = await startEasyPost(apiKey)
  easyPost.accounts.push({ id: 'ca_ups', type: 'UpsAccount', reference: 'X9Y8Z7', credentials: {} })
  return easyPost
}

export async function openUpsShop(desk: DeskCalls): Promise<Shop> {
  const shop = await desk.openShop()
  const { status } = await desk.call('PUT /c/v2/merchants/{tmk}/carrier_integration', {
    as: shop.manager,
    params: { tmk: shop.key },
    body: {
      carrier: 'UPS',
      account_number: 'X9Y8-Z7',
      account_zip: '10001',
      label_size: '4x6',
      label_format: 'PDF',
    },
  })
  expect(status).toBe(200)
  return shop
}

/** A server that buys labels from EasyPost, and a shop with an account there. */
export async function openEasyPostDesk(): Promise<EasyPostDesk> {
  const easyPost = await startEasyPostWithUps()
  const desk = await openTurnableDesk(easyPostSettings(easyPost))
  const shop = await openUpsShop(desk)
  return {
    easyPost,
    desk,
    shop,
    webhookSecret,
    async stop() {
      await desk.stop()
      await easyPost.stop()
    },
  }
}
