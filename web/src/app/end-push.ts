import { kept } from '#lib/kept/browser-storage.ts'

const patienceMs = 1_000

/**
 * Ends the push messages to this browser at sign-out, when the server forgets the device too. A browser that does not
 * answer must not keep the person signed in. It shares nothing with the page that switches them on, because each further
 * part of the build costs the first script its name.
 */
export async function endPush(): Promise<void> {
  // The next start must not take it for a loss (`lib/device/push-memory.ts`).
  kept.remove('cellarhand-push')
  const tooLate = new Promise((resolve) => setTimeout(resolve, patienceMs))
  await Promise.race([unsubscribe().catch(() => undefined), tooLate])
}

async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/orders')
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}
