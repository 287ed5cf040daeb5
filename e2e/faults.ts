import { inspect } from 'node:util'
import type { BrowserContext, Locator, Page } from '@playwright/test'

// A refusal is an answer, but Chromium writes each one to the console.
const refusedOrAway = /^Failed to load resource: (the server responded with a status of|net::ERR_)/
// The page says so itself, and sounds after the first press.
const soundHeldBack = 'The AudioContext was not allowed to start'
// The browser looks for a newer worker by itself, also while a test has cut the line.
const workerAway = 'An unknown error occurred when fetching the script.'
const blockedHere = 'Service Worker registration blocked by Playwright'

// The contract's answer when a provider failed; the server never gives it on its own account.
const providerFailed = 502

/** Collects faults that no browser may have, on any page and in any test. */
export async function watchFaults(context: BrowserContext): Promise<readonly string[]> {
  const faults: string[] = []
  context.on('weberror', (fault) => faults.push(`error: ${inspect(fault.error())}`))
  context.on('console', (message) => {
    const text = message.text()
    const isDesigned =
      refusedOrAway.test(text) ||
      [blockedHere, soundHeldBack, workerAway].some((start) => text.startsWith(start))
    if (['error', 'warning'].includes(message.type()) && !isDesigned) faults.push(text)
  })
  context.on('response', (response) => {
    const status = response.status()
    if (status >= 500 && status !== providerFailed) faults.push(`${response.url()} answered ${status}`)
  })
  await context.exposeBinding('reportViolation', (_source, violation: string) => faults.push(violation))
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const { reportViolation } = globalThis as unknown as { reportViolation: (text: string) => void }
      reportViolation(`content security policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  return faults
}

/** A headless browser has no print dialog, and may crash on it, so the document is marked as printed instead. */
export async function notePrinting(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', 'yes')
  })
}

/** The file of the last print dialog that the dashboard opened. */
export function printed(page: Page): Locator {
  return page.locator('iframe[title="Document to print"]').last()
}
