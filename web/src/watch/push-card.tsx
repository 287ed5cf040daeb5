import IconBellOff from '@tabler/icons-react/dist/esm/icons/IconBellOff.mjs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Reply } from '#lib/calls/call.ts'
import { keepSaved } from '#lib/calls/keep-saved.ts'
import { forgetPush, rememberPush } from '#lib/device/push-memory.ts'
import {
  addressOf,
  digestOf,
  findSubscription,
  pushObstacle,
  subscribe,
  type PushObstacle,
} from '#lib/device/push-subscription.ts'
import { keepFocusNear } from '#lib/keys/keep-focus-near.ts'
import { formatDate, formatTime } from '#lib/time/dates.ts'
import { useTimezone } from '#merchants/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Block } from '#ui/blocks/block.tsx'
import { Button } from '#ui/blocks/button.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import formStyles from '#ui/forms/form.module.css'
import { Toggle } from '#ui/forms/toggle.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { toast } from '#ui/notes/toasts.tsx'
import { useTold } from '#ui/notes/told.ts'
import styles from './push-card.module.css'
import { pushQuery } from './queries.ts'

type Devices = Reply<'PUT /m/v2/merchant/{tmk}/push/devices'>
type Device = Devices['devices'][number]

const obstacles: Record<PushObstacle, string> = {
  'home screen':
    'An iPhone or iPad receives messages only once the desk is on its home screen. In Safari press Share, then Add to Home Screen. Open the desk from there, and come back to this page.',
  unsupported:
    'This browser cannot receive messages. Use a current Chrome, Edge, Firefox or Safari, not in a private window, and open the desk by its https address.',
  denied:
    'Notifications from the desk are blocked in this browser. Allow them in the browser’s settings for this site, then load this page again.',
}

class Refused extends Error {}

/** Messages to the device in hand, also while the desk is closed. */
export function PushCard() {
  const queryClient = useQueryClient()
  const list = useQuery({ ...pushQuery(merchantKey()), retryOnMount: false })
  const own = useQuery({ queryKey: ['this device’s push'], queryFn: ownDigest, staleTime: 0, gcTime: 0 })
  const [obstacle, setObstacle] = useState(pushObstacle)
  const keep = async (next: Devices): Promise<void> => {
    await keepSaved(queryClient, pushQuery(merchantKey()), next)
    await own.refetch()
  }
  const switchOn = useMutation({
    // One that is not in the list may have been refused by its push service.
    mutationFn: (dueOrders: boolean) => register(dueOrders, { isAnew: here === undefined }),
    onSuccess: async (next) => {
      await keep(next)
      toast('success', here ? 'Saved' : 'Switched on for this device')
    },
    onError: () => setObstacle(pushObstacle()),
  })
  const remove = useTold({
    action: ({ id }: Device) => `push to ${id}`,
    attempt: (device: Device) => unregister(device, device.endpoint_digest === own.data),
    onSuccess: async (next) => {
      await keep(next)
      toast('success', 'Switched off')
    },
    failure: () => ['Something went wrong, the messages are still on. Please try again.'],
  })
  const devices = list.data?.devices ?? []
  const here = devices.find((device) => device.endpoint_digest === own.data)
  const others = devices.filter((device) => device !== here)
  return (
    <Block title="Messages to your devices">
      <div className={formStyles.form}>
        <p className={styles.hint}>
          A phone or computer can get a message even while the desk is closed: when new orders wait unwatched
          and you are on duty. A message holds the number of orders, or one order’s number and time, and
          nothing of a customer. Signing out ends it.
        </p>
        {list.isPending || own.isPending ? (
          <Spinner label="Loading your devices" />
        ) : list.isError ? (
          <FailedNote text="Your devices could not be loaded." onRetry={() => void list.refetch()} />
        ) : here ? (
          <Here
            device={here}
            change={switchOn}
            isEnding={remove.isPending}
            onEnd={() => remove.mutate(here)}
          />
        ) : obstacle ? (
          <Notice icon={IconBellOff}>{obstacles[obstacle]}</Notice>
        ) : (
          <div>
            <Button ref={keepFocusNear} isBusy={switchOn.isPending} onClick={() => switchOn.mutate(false)}>
              Switch on for this device
            </Button>
          </div>
        )}
        {switchOn.isError && !obstacle && (
          <Notice icon={IconBellOff} hue="amber" live>
            {switchOn.error instanceof Refused
              ? 'The browser did not get your permission. Press the button again, and choose Allow.'
              : here
                ? 'Not saved: the desk’s server did not answer. Please try again later.'
                : 'The messages could not be switched on: this browser’s push service or the desk’s server did not answer. Please try again later.'}
          </Notice>
        )}
        {others.length > 0 && (
          <ul className={styles.list} aria-label="Your other devices">
            {others.map((device) => (
              <Row
                key={device.id}
                device={device}
                isEnding={remove.isPending && remove.variables === device}
                onEnd={() => remove.mutate(device)}
              />
            ))}
          </ul>
        )}
      </div>
    </Block>
  )
}

async function ownDigest(): Promise<string | null> {
  const found = await findSubscription().catch(() => undefined)
  return found ? digestOf(found) : null
}

async function register(dueOrders: boolean, how: { isAnew: boolean }): Promise<Devices> {
  const params = { tmk: merchantKey() }
  const askKey = () => call('PUT /m/v2/merchant/{tmk}/push/key', { params })
  const subscription = await subscribe(async () => (await askKey()).public_key, how)
  if (!subscription) throw new Refused()
  const body = { ...addressOf(subscription), due_orders: dueOrders }
  const next = await call('PUT /m/v2/merchant/{tmk}/push/devices', { params, body })
  const digest = await digestOf(subscription)
  const here = next.devices.find((device) => device.endpoint_digest === digest)
  if (here) rememberPush(params.tmk, here)
  return next
}

/** The server first: without its answer the device still receives messages, and the page says so. */
async function unregister({ id }: Device, isHere: boolean): Promise<Devices> {
  const next = await call('DELETE /m/v2/merchant/{tmk}/push/devices/{device}', {
    params: { tmk: merchantKey(), device: id },
  })
  if (isHere) {
    forgetPush()
    await (await findSubscription())?.unsubscribe().catch(() => false)
  }
  return next
}

interface HereProps {
  device: Device
  change: { isPending: boolean; mutate: (dueOrders: boolean) => void }
  isEnding: boolean
  onEnd: () => void
}

function Here({ device, change, isEnding, onEnd }: HereProps) {
  return (
    <>
      <p>
        <b>This device gets your messages.</b>
      </p>
      <div>
        <Toggle
          label="Late and nearly late orders too"
          isOn={device.due_orders}
          isDisabled={change.isPending}
          onChange={change.mutate}
        />
        <p className={styles.hint}>Each once, when it rings by the store’s rules for late orders.</p>
      </div>
      <div>
        <Button ref={keepFocusNear} look="plain" isBusy={isEnding} onClick={onEnd}>
          Switch off for this device
        </Button>
      </div>
    </>
  )
}

function Row({ device, isEnding, onEnd }: { device: Device; isEnding: boolean; onEnd: () => void }) {
  const timezone = useTimezone()
  const name = device.name ?? 'Unknown device'
  const since = `${formatDate(device.created_at, timezone)} ${formatTime(device.created_at, timezone)}`
  return (
    <li>
      <div>
        <p>
          <b>{name}</b>
        </p>
        <p className={styles.hint}>On since {since}</p>
      </div>
      <Button
        ref={keepFocusNear}
        look="plain"
        size="small"
        isBusy={isEnding}
        aria-label={`Switch off ${name}, on since ${since}`}
        onClick={onEnd}
      >
        Switch off
      </Button>
    </li>
  )
}
