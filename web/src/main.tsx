import '#ui/theme/tokens.css'
import '#ui/theme/mantine-tokens.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/VisuallyHidden.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/PasswordInput.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import '@mantine/core/styles/Menu.css'
import '#ui/theme/base.css'
import '#ui/theme/mantine.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { scopes } from '#lib/device/scopes.ts'
import { startErrorReports } from '#lib/reports/error-reports.ts'
import { followPreferences } from '#lib/kept/preferences.ts'
import { takeHandOver } from '#sign-in/public.ts'
import { App } from './app/app.tsx'
import { isDesigned } from './app/error-page.tsx'
import { startPageEvents } from './app/page-events.ts'
import { createApp } from './app/router.tsx'
import { openKept } from '#orders/public.ts'

// First of all: no report, counter or route may see a sign-in link's token.
takeHandOver()
startErrorReports()
followPreferences()
forgetOldServiceWorker()

const desk = createApp()
startPageEvents(desk.router)

// The worker puts this mark into a page that no server gave (`lib/device/desk-worker.ts`).
if (document.querySelector('[name=cellarhand-kept]')) void openKept(desk).then(show)
else {
  show()
  if (navigator.serviceWorker?.controller) setTimeout(openKept, 3_000, desk)
}

function show(): void {
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root, {
    onCaughtError: (error) => {
      if (!isDesigned(error)) reportError(error)
    },
  }).render(
    <StrictMode>
      <App {...desk} />
    </StrictMode>,
  )
}

function forgetOldServiceWorker(): void {
  void navigator.serviceWorker?.getRegistrations().then(
    // Ours has scopes of its own (`lib/device/keep-desk.ts`).
    (all) => all.forEach((each) => scopes.includes(new URL(each.scope).pathname) || void each.unregister()),
    () => undefined,
  )
}
