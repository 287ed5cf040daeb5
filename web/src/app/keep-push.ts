import type { useRouter } from '@tanstack/react-router'
import { call, CallError, type Reply } from '#lib/calls/call.ts'
import { forgetPush, rememberedPush, rememberPush } from '#lib/device/push-memory.ts'
import {
  addressOf,
  digestOf,
  findSubscription,
  pushObstacle,
  subscribe,
} from '#lib/device/push-subscription.ts'
import { merchantKey } from '#sign-in/public.ts'
import { toastWithAction } from '#ui/notes/toasts.tsx'

type Router = ReturnType<typeof useRouter>
type Device = Reply<'GET /m/v2/merchant/{tmk}/push'>['devices'][number]

/** Of several tabs that open together, one looks and speaks. Without an answer, the next start looks again. */
export async function keepPush(router: Router): Promise<void> {
  if (!('locks' in navigator)) return
  await navigator.locks.request('cellarhand-push', () => look(router)).catch(() => undefined)
}

/** A browser replaces or loses its subscription without a word; its person would wait for messages in vain. */
async function look(router: Router): Promise<void> {
  const tmk = merchantKey()
  const before = rememberedPush(tmk)
  const subscription = await findSubscription()
  if (!before && !subscription) return
  const query = before && { device: before.id }
  const { devices, is_refused: isRefused } = await call('GET /m/v2/merchant/{tmk}/push', {
    params: { tmk },
    ...(query && { query }),
  })
  const digest = subscription && (await digestOf(subscription))
  const here = devices.find(({ endpoint_digest: each }) => each === digest)
  if (here) return rememberPush(tmk, here)
  if (!before) return
  // A person who switches a device off takes it from the list. So one that is listed was lost by the browser alone.
  const lost = devices.find(({ id }) => id === before.id)
  const renewed = lost || isRefused ? await renew(tmk, lost ?? before, { isListed: !isRefused }) : undefined
  if (renewed) return rememberPush(tmk, renewed)
  // A sign-out meanwhile is no loss.
  if (!rememberedPush(tmk)) return
  forgetPush()
  toastWithAction(
    'This device no longer gets messages',
    'If you still want them, switch them on again in Settings, Alarms.',
    { label: 'Open Alarms', act: () => void router.navigate({ to: '/settings/alarms' }) },
  )
}

/** Undefined if the browser or the server refuses it; an answer that does not come is thrown. */
async function renew(
  tmk: string,
  lost: Pick<Device, 'id' | 'due_orders'>,
  { isListed }: { isListed: boolean },
): Promise<Device | undefined> {
  const params = { tmk }
  // Without the permission, `subscribe` would ask for it, which needs a press.
  if (pushObstacle() || Notification.permission !== 'granted') return undefined
  const { public_key: key } = await call('PUT /m/v2/merchant/{tmk}/push/key', { params })
  const subscription = await subscribe(() => Promise.resolve(key), { isAnew: !isListed }).catch(
    () => undefined,
  )
  if (!subscription) return undefined
  const body = { ...addressOf(subscription), due_orders: lost.due_orders }
  try {
    const { devices } = await call('PUT /m/v2/merchant/{tmk}/push/devices', { params, body })
    const old = { tmk, device: lost.id }
    // If this fails, the push service's refusal of the old address removes it.
    if (isListed)
      await call('DELETE /m/v2/merchant/{tmk}/push/devices/{device}', { params: old }).catch(() => undefined)
    const digest = await digestOf(subscription)
    return devices.find(({ endpoint_digest: each }) => each === digest)
  } catch (error) {
    if (error instanceof CallError && error.status < 500) return undefined
    throw error
  }
}
