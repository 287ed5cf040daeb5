import { address, baseAddress, text, textOr } from '#platform/settings/kinds.ts'
import { settingsPart } from '#platform/settings/setting.ts'

export const insightSettings = settingsPart({
  title: 'Errors and analytics',
  settings: {
    SENTRY_DSN: address({
      meaning:
        'Sends errors of server and dashboard to Sentry, and nothing beside the error. The dashboard’s errors go through this server.',
      example: 'https://key@o0.ingest.sentry.io/1',
    }),
    RELEASE: textOr('cellarhand', { meaning: 'The name of this version in error reports.' }),
    SEGMENT_WRITE_KEY: text({
      meaning:
        'Sends events of the dashboard to Segment, RudderStack or another service that speaks Segment’s specification, with hashed users.',
    }),
    SEGMENT_URL: baseAddress({
      meaning: 'The address of that service.',
      without: '`https://api.segment.io`',
      example: 'https://api.segment.io',
    }),
    ERROR_REPORT_URL: address({
      meaning: 'Receives failures of dashboards as JSON, besides the log.',
    }),
  },
  shape: (given) => ({
    sentryDsn: given.SENTRY_DSN,
    release: given.RELEASE,
    segment:
      given.SEGMENT_WRITE_KEY === undefined
        ? undefined
        : { url: given.SEGMENT_URL ?? 'https://api.segment.io', writeKey: given.SEGMENT_WRITE_KEY },
    errorReportUrl: given.ERROR_REPORT_URL,
  }),
})
