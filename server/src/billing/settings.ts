import { address, flag, text } from '#platform/settings/kinds.ts'
import { settingsPart } from '#platform/settings/setting.ts'

export const paymentSettings = settingsPart({
  title: 'Payments: Stripe Connect',
  about:
    'Merchants’ payment accounts ([providers](providers.md)). Without a key the demo has a sandbox, and elsewhere the billing page says that nothing is set up.',
  settings: {
    STRIPE_SECRET_KEY: text({ meaning: 'The platform’s secret key.', example: 'sk_live_...' }),
    STRIPE_WEBHOOK_SECRET: text({
      meaning:
        'Of the event destination for thin events, whose address is `PUBLIC_URL/providers/v1/payments/events`.',
      example: 'whsec_...',
    }),
    STRIPE_DASHBOARD: text(
      {
        meaning: 'The dashboard that merchants get at Stripe: only `full` for now.',
        without: '`full`',
        example: 'full',
      },
      // Stripe takes fees and losses of express accounts on itself from API 2026-11-18.endive on; its library speaks 2026-10-28.
      (value) =>
        value === 'full'
          ? undefined
          : `must be full, not "${value}": Stripe does not make other accounts with the version of its API that this server speaks. Leave the setting out, then start again.`,
    ),
    STRIPE_API_BASE: address({ meaning: 'Another host, for tests.', without: 'Stripe’s own' }),
    SHOW_LEGACY_BILLING: flag({
      meaning: '`1` shows the bank-account form of the earlier payment provider.',
    }),
  },
  shape: (given) => ({
    stripe:
      given.STRIPE_SECRET_KEY === undefined
        ? undefined
        : {
            secretKey: given.STRIPE_SECRET_KEY,
            webhookSecret: given.STRIPE_WEBHOOK_SECRET,
            apiBase: given.STRIPE_API_BASE,
          },
    showsLegacyForm: given.SHOW_LEGACY_BILLING ?? false,
  }),
})
