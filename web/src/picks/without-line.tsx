import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { knownOrder, type Order } from '#orders/public.ts'
import { NoLineNote } from '#ui/notes/no-line.tsx'
import styles from './pick-page.module.css'

interface Props {
  ids: readonly string[]
  onRetry: () => Promise<{ isError: boolean }>
}

/** Without a pick list on the device, the bottles of the orders that it has: to read, not to count. */
export function WithoutLine({ ids, onRetry }: Props) {
  const queryClient = useQueryClient()
  const orders = ids.flatMap((id) => knownOrder(queryClient, id) ?? [])
  return (
    <div className={`${styles.bay} ${styles.done}`}>
      <NoLineNote
        text={`The shelves and ${orders.length > 0 ? 'the picked bottles' : 'bottles'} come by themselves once the connection is back. Until then no scan counts.`}
        onRetry={onRetry}
      />
      {orders.map((order) => (
        <section key={order.id} aria-labelledby={`kept-${order.id}`}>
          <h2 id={`kept-${order.id}`}>
            <Link to="/orders/view/$id" params={{ id: order.id }}>
              Bottles of #{order.id}
            </Link>
          </h2>
          <ul>
            {bottlesOf(order).map(({ id, name, size, quantity }) => (
              <li key={id}>
                <b>{quantity}</b> {name} <small>{size}</small>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Without the pieces that were reported as missing. */
function bottlesOf({ items, shortage }: Order) {
  return items
    .map(({ id, name, product, quantity }) => {
      const missing = shortage?.lines.find((line) => line.line_id === id)?.missing ?? 0
      return { id, name, size: product?.container_size, quantity: quantity - missing }
    })
    .filter(({ quantity }) => quantity > 0)
}
