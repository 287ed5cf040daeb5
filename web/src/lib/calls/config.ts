interface Config {
  appCredential: string
  productName: string
  apiBase: string
  /** By default the payments service and the content service run on the API's own host. */
  paymentsBase: string
  contentBase: string
  devDocsUrl: string
  supportEmail: string
  carrierPartnerUrl: string
  showsLegacyBilling: boolean
  sentryDsn: string
  release: string
  /** Whether the page also sends its data-layer events to our server, which forwards them. */
  forwardsEvents: boolean
  /** The names of the published documents, as the page was fetched. */
  published: string
}

function readConfig(): Config {
  const content =
    globalThis.document?.querySelector<HTMLMetaElement>('meta[name="cellarhand-config"]')?.content ?? '{}'
  const given = JSON.parse(content) as Record<string, string | undefined>
  const apiBase = given['api_base'] ?? ''
  return {
    appCredential: given['app_credential'] ?? 'dashboard:dashboard',
    productName: given['product_name'] ?? 'Thirstie',
    apiBase,
    paymentsBase: given['payments_base'] || apiBase,
    contentBase: given['content_base'] || apiBase,
    devDocsUrl: given['dev_docs_url'] || `${apiBase}/docs/merchant-api`,
    supportEmail: given['support_email'] ?? '',
    carrierPartnerUrl: given['carrier_partner_url'] ?? '',
    showsLegacyBilling: given['show_legacy_billing'] === '1',
    sentryDsn: given['sentry_dsn'] ?? '',
    release: given['release'] ?? '',
    forwardsEvents: given['forwards_events'] === '1',
    published: given['published'] ?? '',
  }
}

export const config = readConfig()
