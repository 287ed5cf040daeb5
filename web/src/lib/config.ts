interface Config {
  appCredential: string
  productName: string
  apiBase: string
}

function readConfig(): Config {
  const content =
    globalThis.document?.querySelector<HTMLMetaElement>('meta[name="cellarhand-config"]')?.content ?? '{}'
  const given = JSON.parse(content) as { app_credential?: string; product_name?: string; api_base?: string }
  return {
    appCredential: given.app_credential ?? 'dashboard:dashboard',
    productName: given.product_name ?? 'Thirstie',
    apiBase: given.api_base ?? '',
  }
}

export const config = readConfig()
