import { CourierRefused, type CourierService } from './couriers/courier.ts'
import { TextRefused, type TextService } from './texts/texts.ts'

const refuseCourier = async (): Promise<never> => {
  throw new CourierRefused('No courier service is set up on this server. Please deliver the order yourself.')
}

/** Outside the demo, no imaginary courier takes orders. */
export const noCourier: CourierService = {
  name: 'No courier service',
  slug: 'none',
  alwaysTellsIdCheck: true,
  request: refuseCourier,
  look: async () => undefined,
  cancel: refuseCourier,
  proof: refuseCourier,
  readCallback: () => undefined,
}

export const noTexts: TextService = {
  name: 'No text message service',
  slug: 'none',
  async send() {
    throw new TextRefused('No text message service is set up on this server.')
  },
  find: async () => undefined,
  readStatus: () => undefined,
  readReply: () => undefined,
}
