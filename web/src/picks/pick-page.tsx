import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconBarcodeOff from '@tabler/icons-react/dist/esm/icons/IconBarcodeOff.mjs'
import IconBottle from '@tabler/icons-react/dist/esm/icons/IconBottle.mjs'
import IconCamera from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs'
import IconBottleOff from '@tabler/icons-react/dist/esm/icons/IconBottleOff.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { useLayoutEffect, useState } from 'react'
import { useSinglePress } from '#lib/parts/late-press.ts'
import { useAhead } from '#lib/parts/fetch-ahead.ts'
import { useTimezone } from '#merchants/public.ts'
import { NewestNotes, ReportPart } from '#orders/public.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { KeptNote, useIsAway } from '#ui/notes/no-line.tsx'
import { EmptyNote, FailedNote } from '#ui/notes/notes.tsx'
import { BottleCamera, isFilming } from './bottle-camera.tsx'
import { NotEnough } from './not-enough.tsx'
import styles from './pick-page.module.css'
import { PickResult } from './pick-result.tsx'
import type { PickOrder } from './queries.ts'
import { picksQuery, showKeptPicks } from './queries.ts'
import { Stopped } from './stopped.tsx'
import { usePicking } from './use-picking.ts'
import { WithoutLine } from './without-line.tsx'
import { Totes, WalkList } from './walk-list.tsx'
import type { Stop } from './walk.ts'

const route = getRouteApi('/signed-in/pick/$ids')

/** The bottle in the hand: one order or a wave, shelf by shelf, one scan for each bottle. */
export function PickPage() {
  const { ids } = route.useParams()
  const queryClient = useQueryClient()
  const { data, isError, refetch, dataUpdatedAt } = useQuery(picksQuery(merchantKey(), ids))
  const isAway = useIsAway()
  useAhead(ReportPart.preload)
  // The wave then stays on the screen while the line comes back, with the bottle in the hand.
  useLayoutEffect(() => {
    if (isAway && !data) showKeptPicks(queryClient, merchantKey(), ids)
  }, [isAway, data, queryClient, ids])
  if (data && data.orders.length > 0) return <Picking ids={ids} orders={data.orders} at={dataUpdatedAt} />
  return (
    <main className={styles.page}>
      <h1 className="visually-hidden">Pick</h1>
      {!data && isAway && <WithoutLine ids={ids.split(',')} onRetry={refetch} />}
      {!data && !isAway && isError && (
        <FailedNote text="The bottles could not be loaded." onRetry={() => void refetch()} />
      )}
      {data && <EmptyNote text="No such order" />}
      {!data && !isAway && !isError && <Spinner label="Loading the bottles" />}
    </main>
  )
}

interface PickingProps {
  ids: string
  orders: readonly PickOrder[]
  /** When the server said so. */
  at: number
}

function Picking({ ids, orders, at }: PickingProps) {
  const timezone = useTimezone()
  const picking = usePicking(ids, orders)
  const { walk, current, outcome } = picking
  const [lacking, setLacking] = useState<Stop | null>(null)
  const atHand = lacking && (walk.find(({ key }) => key === lacking.key) ?? lacking)
  const isWave = ids.includes(',')
  const films = isFilming.use()
  const byHand = useSinglePress((stop: Stop) => picking.take({ byHand: stop }))
  return (
    <main className={styles.page}>
      <Head ids={ids} orders={orders} />
      <div className={styles.body}>
        <div className={styles.bay}>
          <KeptNote what="You see what is picked" at={at} timezone={timezone}>
            You can scan one bottle: it counts once the connection is back. Until then scan no other.
          </KeptNote>
          <Stopped orders={orders} walk={walk} missingIds={missingOf(ids, orders)} />
          <NewestNotes ids={ids.split(',')} only={isWave ? current?.order.id : ids} />
          {current ? <Bottle stop={current} /> : <Done orders={orders} />}
          {current && films && <BottleCamera onScan={(code) => picking.take({ code })} />}
          {(current || outcome) && <PickResult outcome={outcome} isWave={isWave} />}
          {current && (
            <>
              <Dots stop={current} />
              <div className={styles.into}>
                {isWave && <span className={styles.tote}>{current.tote}</span>}
                <p>
                  {isWave ? `Into tote ${current.tote} for` : 'For'} <b>#{current.order.id}</b>
                  <small>{current.order.recipient}</small>
                </p>
              </div>
            </>
          )}
        </div>
        <div className={styles.side}>
          <WalkList walk={walk} current={current} onChoose={picking.choose} />
          {isWave && <Totes orders={orders} current={current} />}
        </div>
      </div>
      {current && (
        <div className={styles.foot}>
          <Button look="plain" onClick={() => setLacking(current)}>
            <IconBottleOff size={18} aria-hidden /> Not enough here
          </Button>
          <Button look="plain" onClick={() => byHand(current)}>
            <IconBarcodeOff size={18} aria-hidden /> No code to scan
          </Button>
          <Button look="plain" aria-pressed={films} onClick={() => isFilming.set(!films)}>
            <IconCamera size={18} aria-hidden /> Camera
          </Button>
        </div>
      )}
      {atHand && <NotEnough key={atHand.key} stop={atHand} onClose={() => setLacking(null)} />}
    </main>
  )
}

function missingOf(ids: string, orders: readonly PickOrder[]): string[] {
  return ids.split(',').filter((id) => !orders.some((order) => order.id === id))
}

function Head({ ids, orders }: { ids: string; orders: readonly PickOrder[] }) {
  const router = useRouter()
  const navigate = useNavigate()
  const canGoBack = useCanGoBack()
  const lines = orders.flatMap((order) => order.lines)
  const [picked, all] = [
    lines.reduce((sum, line) => sum + line.picked, 0),
    lines.reduce((sum, line) => sum + line.quantity, 0),
  ]
  const isWave = ids.includes(',')
  return (
    <>
      <header className={styles.head}>
        <button
          type="button"
          aria-label="Leave pick mode, what is picked stays picked"
          onClick={() => (canGoBack ? router.history.back() : void navigate({ to: '/orders' }))}
        >
          <IconArrowLeft size={20} aria-hidden />
        </button>
        <div>
          <h1>
            {isWave ? 'Wave' : `Pick #${ids}`} · {picked} of {all} bottles
          </h1>
          <small>
            {isWave
              ? `${orders.length} orders, a tote for each`
              : orders.map(({ recipient }) => recipient).join()}
          </small>
        </div>
      </header>
      <progress className={styles.meter} value={picked} max={all} aria-label="Bottles picked" />
    </>
  )
}

function Bottle({ stop: { line } }: { stop: Stop }) {
  return (
    <>
      <p className={styles.shelf}>
        {line.location === null ? <span>No shelf in the stock list</span> : <b>{line.location}</b>}
      </p>
      <div className={styles.bottle}>
        <span className={styles.picture} aria-hidden>
          <IconBottle size={64} stroke={1.1} />
        </span>
        <div>
          <h2>{line.name}</h2>
          <p>{[line.container_size, line.merchant_sku].filter(Boolean).join(' · ')}</p>
          <p>
            Take <b>{line.quantity}</b>
            {line.code_ends === null ? (
              ' · no code in the stock list'
            ) : (
              <>
                {' '}
                · code ends in <b>{line.code_ends}</b>
              </>
            )}
          </p>
        </div>
      </div>
    </>
  )
}

const dotsAtMost = 24

function Dots({ stop: { line } }: { stop: Stop }) {
  return (
    <p className={styles.count}>
      {line.quantity <= dotsAtMost && (
        <span className={styles.dots} aria-hidden>
          {Array.from({ length: line.quantity }, (_, at) => (
            <i key={at} data-on={at < line.picked || undefined} />
          ))}
        </span>
      )}
      {line.picked} of {line.quantity} picked{line.by_hand > 0 && `, ${line.by_hand} by hand`}
    </p>
  )
}

function Done({ orders }: { orders: readonly PickOrder[] }) {
  return (
    <div className={styles.done}>
      <h2>Nothing is left to pick</h2>
      <ul>
        {orders.map((order) => (
          <li key={order.id}>
            <Link to="/orders/view/$id" params={{ id: order.id }}>
              Open #{order.id}
            </Link>{' '}
            {order.recipient}
            {order.picked_at !== null && ', all picked'}
          </li>
        ))}
      </ul>
    </div>
  )
}
