import { choice, credential, number, text, textOr } from '#platform/settings/kinds.ts'
import { allOrNone, ConfigError, settingsPart } from '#platform/settings/setting.ts'

export const courierSettings = settingsPart({
  title: 'Couriers',
  about:
    'DoorDash Drive or Uber Direct ([providers](providers.md#couriers-text-messages-and-maps)): all four of the one or of the other. Without them the demo has a sandbox, and elsewhere the clerk reads that no courier is set up.',
  settings: {
    DOORDASH_DEVELOPER_ID: text({ meaning: 'The developer id of the access key.' }),
    DOORDASH_KEY_ID: text({ meaning: 'The id of the access key.' }),
    DOORDASH_SIGNING_SECRET: text({ meaning: 'The signing secret of the access key.' }),
    DOORDASH_WEBHOOK_CREDENTIAL: credential({
      meaning: 'The credential with which DoorDash calls `PUBLIC_URL/providers/v1/couriers/doordash/events`.',
    }),
    DOORDASH_URL: textOr('https://openapi.doordash.com/drive/v2', { meaning: 'Another host, for tests.' }),
    UBER_CUSTOMER_ID: text({ meaning: 'The customer id.' }),
    UBER_CLIENT_ID: text({ meaning: 'The client id.' }),
    UBER_CLIENT_SECRET: text({ meaning: 'The client secret.' }),
    UBER_WEBHOOK_KEY: text({
      meaning: 'The signing key of the webhook to `PUBLIC_URL/providers/v1/couriers/uber/events`.',
    }),
    UBER_URL: textOr('https://api.uber.com', { meaning: 'Another host, for tests.' }),
    UBER_TOKEN_URL: textOr('https://login.uber.com/oauth/v2/token', { meaning: 'Another host, for tests.' }),
    COURIER: choice(['doordash', 'uber'], {
      meaning:
        'Who takes new requests where both are set. The deliveries of the other one are followed to their end.',
      example: 'doordash',
    }),
    COURIER_SANDBOX_PACE: number(
      { least: 0.000_001, most: 10_000, usual: 1 },
      { meaning: 'Demo: how many times faster than life the sandbox’s couriers are.' },
    ),
    PROVIDER_TIMEOUT_MS: number(
      { least: 100, most: 60_000, usual: 10_000 },
      { meaning: 'Milliseconds that one request to a courier, text or map service may take.' },
    ),
  },
  shape(given) {
    const doorDash = allOrNone({
      DOORDASH_DEVELOPER_ID: given.DOORDASH_DEVELOPER_ID,
      DOORDASH_KEY_ID: given.DOORDASH_KEY_ID,
      DOORDASH_SIGNING_SECRET: given.DOORDASH_SIGNING_SECRET,
      DOORDASH_WEBHOOK_CREDENTIAL: given.DOORDASH_WEBHOOK_CREDENTIAL,
    })
    const uber = allOrNone({
      UBER_CUSTOMER_ID: given.UBER_CUSTOMER_ID,
      UBER_CLIENT_ID: given.UBER_CLIENT_ID,
      UBER_CLIENT_SECRET: given.UBER_CLIENT_SECRET,
      UBER_WEBHOOK_KEY: given.UBER_WEBHOOK_KEY,
    })
    const wanted = given.COURIER
    if (doorDash && uber && wanted === undefined)
      throw new ConfigError(
        'Both DoorDash and Uber Direct are set. Please say with COURIER=doordash or COURIER=uber who takes the new requests.',
      )
    if (wanted !== undefined && { doordash: doorDash, uber }[wanted] === undefined)
      throw new ConfigError(`COURIER must be a service whose settings are there, not "${wanted}".`)
    return {
      doorDash,
      doorDashUrl: given.DOORDASH_URL,
      uber,
      uberUrl: given.UBER_URL,
      uberTokenUrl: given.UBER_TOKEN_URL,
      wanted,
      sandboxPace: given.COURIER_SANDBOX_PACE,
      timeoutMs: given.PROVIDER_TIMEOUT_MS,
    }
  },
})

export const textSettings = settingsPart({
  title: 'Text messages: Twilio',
  about: 'Without it the demo keeps text messages for `/demo/outbox`. Needs `PUBLIC_URL`.',
  settings: {
    TWILIO_ACCOUNT_SID: text({ meaning: 'The account’s id. Needs the token, and one of the last two.' }),
    TWILIO_AUTH_TOKEN: text({ meaning: 'The account’s token. It also proves who calls back.' }),
    TWILIO_MESSAGING_SERVICE_SID: text({ meaning: 'The messaging service that sends.' }),
    TWILIO_FROM: text({ meaning: 'The number that sends.', example: '+12125550100' }),
    TWILIO_URL: textOr('https://api.twilio.com', { meaning: 'Another host, for tests.' }),
  },
  shape(given, env) {
    const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN } = given
    const account = allOrNone({ TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN })
    if (account === undefined) return undefined
    const { TWILIO_MESSAGING_SERVICE_SID: messagingServiceSid, TWILIO_FROM: from } = given
    if (messagingServiceSid === undefined && from === undefined)
      throw new ConfigError(
        'Twilio needs TWILIO_MESSAGING_SERVICE_SID or TWILIO_FROM: what messages come from.',
      )
    if (!env['PUBLIC_URL'])
      throw new ConfigError('Twilio needs PUBLIC_URL: the address that it calls back, and signs.')
    return {
      url: given.TWILIO_URL,
      accountSid: account.TWILIO_ACCOUNT_SID,
      authToken: account.TWILIO_AUTH_TOKEN,
      messagingServiceSid,
      from,
    }
  },
})

export const mapSettings = settingsPart({
  title: 'Maps',
  about: 'Without a service the order view shows a drawn card.',
  settings: {
    GOOGLE_MAPS_KEY: text({ meaning: 'The key of Google’s static maps.' }),
    GOOGLE_MAPS_SIGNING_SECRET: text({
      meaning: 'Signs the addresses of pictures, where Google asks for it.',
    }),
    GOOGLE_MAPS_URL: textOr('https://maps.googleapis.com', { meaning: 'Another host, for tests.' }),
    MAPS_STATIC_URL: text(
      {
        meaning:
          'Another map service: an address with `{address}`, and `{zoom}` and `{size}` where it takes them.',
        example: 'https://maps.example.com/static?q={address}&zoom={zoom}&size={size}',
      },
      (value) =>
        /^https?:\/\/[^/{}]+\/.*\{address\}/.test(value)
          ? undefined
          : 'must be an address with {address} in it, and may have {zoom} and {size}.',
    ),
    MAPS_HOURLY_LIMIT: number(
      { least: 1, most: 1_000_000, usual: 1000, isWhole: true },
      {
        meaning:
          'Pictures an hour and process, since anybody can ask for a map. Beyond it the drawn card shows.',
      },
    ),
  },
  shape: (given) => ({
    google:
      given.GOOGLE_MAPS_KEY === undefined
        ? undefined
        : {
            url: given.GOOGLE_MAPS_URL,
            key: given.GOOGLE_MAPS_KEY,
            signingSecret: given.GOOGLE_MAPS_SIGNING_SECRET,
          },
    template: given.MAPS_STATIC_URL,
    hourlyLimit: given.MAPS_HOURLY_LIMIT,
  }),
})
