import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { hourLabels } from './day-words.ts'
import type { DayFigures } from './queries.ts'
import styles from './hour-chart.module.css'

interface Props {
  figures: DayFigures
}

const wide = { height: 200, most: 38 }
const narrow = { height: 176, most: 22 }
const widest = 480
const foot = 24
const top = 20
const lineCount = 3
/** A number of three digits, or an hour, needs so much. */
const labelWidth = 26
const digitWidth = 8

/** Orders by hour as bars, in the screen's own pixels. The table has the same figures for readers of the screen. */
export function HourChart({ figures: { hours, timezone } }: Props) {
  const pattern = useId()
  const svg = useRef<SVGSVGElement>(null)
  const width = useWidth(svg)
  const isNarrow = width < widest
  const { height, most } = isNarrow ? narrow : wide
  const labels = hourLabels(hours, timezone)
  const busiest = Math.max(...hours.map(({ orders }) => orders))
  const step = niceStep(busiest / lineCount)
  const scale = Math.ceil(busiest / step) * step
  const left = 14 + digitWidth * String(scale).length
  const ground = height - foot
  const heightOf = (orders: number) => (orders / scale) * (ground - top)
  const pitch = (width - left) / hours.length
  const bar = Math.min(most, pitch * 0.66)
  const short = (label: string) => (isNarrow ? label.replace(/ [AP]M.*/, '') : label)
  const every = Math.ceil((isNarrow ? labelWidth : labelWidth * 2) / pitch)
  return (
    <svg
      ref={svg}
      className={styles.chart}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={inWords(hours, labels)}
    >
      <defs>
        <pattern
          id={pattern}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect className={styles.card} width="6" height="6" />
          <rect className={styles.stripe} width="3" height="6" />
        </pattern>
      </defs>
      {Array.from({ length: scale / step + 1 }, (_, index) => index * step).map((orders) => (
        <g key={orders}>
          <line
            className={styles.line}
            x1={left}
            x2={width}
            y1={ground - heightOf(orders)}
            y2={ground - heightOf(orders)}
          />
          <text x={left - 8} y={ground - heightOf(orders) + 4} textAnchor="end">
            {orders}
          </text>
        </g>
      ))}
      {hours.map(({ at, orders, rejected, cancelled, late }, index) => {
        const x = left + index * pitch + (pitch - bar) / 2
        const ended = rejected + cancelled
        const inTime = orders - ended - late
        const from = (below: number) => ground - heightOf(below)
        return (
          <g key={at}>
            <rect className={styles.inTime} x={x} width={bar} y={from(inTime)} height={heightOf(inTime)} />
            <rect
              className={styles.ended}
              x={x}
              width={bar}
              y={from(inTime + ended)}
              height={heightOf(ended)}
            />
            {late > 0 && (
              <rect
                className={styles.late}
                fill={`url(#${pattern})`}
                x={x + 0.75}
                width={Math.max(0, bar - 1.5)}
                y={from(orders) + 0.75}
                height={Math.max(0, heightOf(late) - 1.5)}
              />
            )}
            {orders > 0 && pitch >= labelWidth - 4 && (
              <text className={styles.value} x={x + bar / 2} y={from(orders) - 5} textAnchor="middle">
                {orders}
              </text>
            )}
            {index % every === 0 && (
              <text x={x + bar / 2} y={height - 6} textAnchor="middle">
                {short(labels[index] ?? '')}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

function useWidth(box: RefObject<Element | null>): number {
  const [width, setWidth] = useState(widest)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)))
    if (box.current) observer.observe(box.current)
    return () => observer.disconnect()
  }, [box])
  return width
}

export function ChartKey() {
  return (
    <ul className={styles.key}>
      <li data-part="inTime">Accepted or waiting, in time</li>
      <li data-part="ended">Rejected or cancelled</li>
      <li data-part="late">Late</li>
    </ul>
  )
}

/** 1, 2 or 5, or these with zeros. */
function niceStep(least: number): number {
  const zeros = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  const digit = [1, 2, 5, 10].find((each) => each * zeros >= least) ?? 10
  return digit * zeros
}

function inWords(hours: DayFigures['hours'], labels: readonly string[]): string {
  const most = hours.reduce(
    (best, hour, index) => (hour.orders > (hours[best]?.orders ?? 0) ? index : best),
    0,
  )
  const { orders = 0, late = 0 } = hours[most] ?? {}
  return `Orders by hour. The busiest was ${labels[most]} with ${orders} ${orders === 1 ? 'order' : 'orders'}, ${late} late. The table has the same figures.`
}
