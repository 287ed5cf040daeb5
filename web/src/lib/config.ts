interface Config {
  appCredential: string
  productName: string
  apiBase: string
  supportEmail: string
  carrierPartnerUrl: string
}

function readConfig(): Config {
  const content =
    globalThis.document?.querySelector<HTMLMetaElement>('meta[name="cellarhand-config"]')?.content ?? '{}'
  const given = JSON.parse(content) as Record<string, string | undefined>
  return {
    appCredential: given['app_credential'] ?? 'dashboard:dashboard',
    productName: given['product_name'] ?? 'Thirstie',
    apiBase: given['api_base'] ?? '',
    supportEmail: given['support_email'] ?? '',
    carrierPartnerUrl: given['carrier_partner_url'] ?? '',
  }
}

export const config = readConfig()
