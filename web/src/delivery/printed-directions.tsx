import { addressLines } from '@cellarhand/contract/address-lines'
import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { config } from '#lib/calls/config.ts'
import type { StepDialogProps } from '#orders/public.ts'
import { directionsUrl } from './directions.ts'
import styles from './printed-directions.module.css'

/** A page for the printer alone: map, address, instructions and the way. It prints once its map has loaded. */
export function PrintedDirections({
  order,
  onDone,
}: Pick<StepDialogProps, 'order'> & { onDone: () => void }) {
  const hasPrinted = useRef(false)
  useEffect(() => {
    window.addEventListener('afterprint', onDone)
    return () => window.removeEventListener('afterprint', onDone)
  }, [onDone])
  const print = (): void => {
    if (hasPrinted.current) return
    hasPrinted.current = true
    window.print()
  }
  const query = new URLSearchParams({
    center: addressLines(order.recipient).join(', '),
    zoom: '16',
    size: '640x480',
  })
  const { recipient } = order
  return createPortal(
    <section className={styles.sheet} aria-label="Directions">
      <h1>Directions to order #{order.id}</h1>
      <p>
        <b>
          {recipient.first_name} {recipient.last_name}
        </b>
      </p>
      {addressLines(order.recipient).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {recipient.delivery_instructions && (
        <p className={styles.instructions}>Instructions: {recipient.delivery_instructions}</p>
      )}
      <img
        src={`${config.apiBase}/maps/static?${query.toString()}`}
        alt={`Map of ${addressLines(order.recipient).join(', ')}`}
        width={640}
        height={480}
        onLoad={print}
        onError={print}
      />
      <p className={styles.link}>
        <a href={directionsUrl(order)}>{directionsUrl(order)}</a>
      </p>
    </section>,
    document.body,
  )
}
