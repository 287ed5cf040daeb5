import { inspect } from 'node:util'
import type { BrowserContext, Locator, Page } from '@playwright/test'

// A refusal is an answer; Chromium writes every one of them to the console all the same.
const refusedOrAway = /^Failed to load resource: (the server responded with a status of|net::ERR_)/

// What the contract answers for a provider that failed; the server itself never has it of its own accord.
const providerFailed = 502

/** What must not happen in any browser: it is collected here, whatever page or test it happens in. */
export async function watchFaults(context: BrowserContext): Promise<readonly string[]> {
  const faults: string[] = []
  context.on('weberror', (fault) => faults.push(`error: ${inspect(fault.error())}`))
  context.on('console', (message) => {
    const isFault = ['error', 'warning'].includes(message.type()) && !refusedOrAway.test(message.text())
    if (isFault) faults.push(message.text())
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

/** A headless browser has no print dialog, and may die of it: the document is marked as printed instead. */
export async function notePrinting(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', 'yes')
  })
}

/** What the dashboard opened the print dialog on last. */
export function printed(page: Page): Locator {
  return page.locator('iframe[title="Document to print"]')
}
