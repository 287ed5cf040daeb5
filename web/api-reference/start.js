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
    // Nothing of this page is fetched from, or sent to, another place than this server.
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
