import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconMapPin from '@tabler/icons-react/dist/esm/icons/IconMapPin.mjs'
import IconPoint from '@tabler/icons-react/dist/esm/icons/IconPoint.mjs'
import type { PickOrder } from './queries.ts'
import type { Stop } from './walk.ts'
import { isDone, toteOf } from './walk.ts'
import styles from './pick-page.module.css'

interface Props {
  walk: readonly Stop[]
  current: Stop | undefined
  onChoose: (key: string) => void
}

/** All lines in the sequence of the shelves. A press goes to a line that is not done. */
export function WalkList({ walk, current, onChoose }: Props) {
  return (
    <section className={styles.walk} aria-labelledby="walk-title">
      <h2 id="walk-title">The walk, shelf by shelf</h2>
      <ul>
        {walk.map((stop) => {
          const isCurrent = stop.key === current?.key
          return (
            <li key={stop.key}>
              <button
                type="button"
                data-done={isDone(stop) || undefined}
                aria-current={isCurrent ? 'step' : undefined}
                disabled={isDone(stop) || !stop.order.is_open}
                onClick={() => onChoose(stop.key)}
              >
                <b>{stop.line.location ?? '–'}</b>
                <span>
                  <bdi>{stop.line.name}</bdi> <small>{stop.line.container_size}</small>
                </span>
                <Count stop={stop} isCurrent={isCurrent} />
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Count({ stop, isCurrent }: { stop: Stop; isCurrent: boolean }) {
  const { quantity, picked, missing, by_hand: byHand, too_many: tooMany } = stop.line
  if (tooMany > 0 || missing > 0 || !stop.order.is_open)
    return (
      <em data-look="less">
        <IconAlertTriangle size={16} aria-hidden />
        {tooMany > 0
          ? `put ${tooMany} back`
          : missing > 0
            ? `${quantity} of ${quantity + missing} there`
            : 'stopped'}
      </em>
    )
  const Sign = isDone(stop) ? IconCircleCheck : isCurrent ? IconMapPin : IconPoint
  return (
    <em data-look={isDone(stop) ? 'done' : undefined}>
      <Sign size={16} aria-hidden />
      {picked > 0 ? `${picked} of ${quantity}` : quantity}
      {byHand > 0 && ' by hand'}
    </em>
  )
}

export function Totes({ orders, current }: { orders: readonly PickOrder[]; current: Stop | undefined }) {
  return (
    <ul className={styles.totes} aria-label="Totes">
      {orders.map((order, index) => {
        const [picked, all] = [
          order.lines.reduce((sum, line) => sum + line.picked, 0),
          order.lines.reduce((sum, line) => sum + line.quantity, 0),
        ]
        return (
          <li key={order.id} data-current={order.id === current?.order.id || undefined}>
            <b>{toteOf(index)}</b> {picked}/{all}
          </li>
        )
      })}
    </ul>
  )
}
