import { number, text, textOr } from '#platform/settings/kinds.ts'
import { ConfigError, settingsPart } from '#platform/settings/setting.ts'

export const labelSettings = settingsPart({
  title: 'Shipping labels',
  about:
    'EasyPost sells labels and follows parcels ([providers](providers.md#shipping-labels-and-parcels)). Without a key the demo has its sandbox carrier, and any other server sells no labels.',
  settings: {
    EASYPOST_API_KEY: text({ meaning: 'The key of an EasyPost account. Needs the next one.' }),
    EASYPOST_WEBHOOK_SECRET: text({
      meaning:
        'The secret of EasyPost’s webhook to `PUBLIC_URL/providers/v1/shipping/events`. It proves who reports on parcels.',
    }),
    EASYPOST_BASE_URL: textOr('https://api.easypost.com/v2', { meaning: 'Another host, for tests.' }),
    CARRIER_PARTNER_URL: text(
      {
        meaning: 'Where the advertisement on the carrier screen leads. Without it there is no link.',
        example: 'https://partner.example.com',
      },
      (value) =>
        /^https:\/\/[^/\s]+/.test(value) ? undefined : 'must be an address that starts with https://.',
    ),
    SANDBOX_STEP_SECONDS: number(
      { least: 0.001, most: 1_000_000, usual: 120 },
      { meaning: 'Demo: seconds from one station of a sandbox parcel to the next.' },
    ),
  },
  shape(given) {
    const { EASYPOST_API_KEY: apiKey, EASYPOST_WEBHOOK_SECRET: webhookSecret } = given
    if (apiKey !== undefined && webhookSecret === undefined)
      throw new ConfigError(
        'EASYPOST_API_KEY needs EASYPOST_WEBHOOK_SECRET beside it: it proves who reports on parcels.',
      )
    const baseUrl = given.EASYPOST_BASE_URL.replace(/\/$/, '')
    return {
      easyPost:
        apiKey === undefined || webhookSecret === undefined ? undefined : { apiKey, webhookSecret, baseUrl },
      partnerUrl: given.CARRIER_PARTNER_URL,
      sandboxStepSeconds: given.SANDBOX_STEP_SECONDS,
    }
  },
})
