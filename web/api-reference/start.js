;(() => {
  const scheme = () => {
    try {
      return JSON.parse(localStorage.getItem('cellarhand-preferences') ?? '{}').scheme
    } catch {
      return undefined
    }
  }
  const forced = scheme()
  const isDark =
    forced === 'dark' || (forced !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  globalThis.Scalar.createApiReference('#app', {
    url: '/docs/openapi.json',
    // This page fetches from this server alone, and sends nothing elsewhere.
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    theme: 'none',
    forceDarkModeState: isDark ? 'dark' : 'light',
    hideDarkModeToggle: true,
    documentDownloadType: 'json',
    operationTitleSource: 'summary',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  })
})()
