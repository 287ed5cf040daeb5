import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

interface Props {
  id: string
  className?: string | undefined
  children: ReactNode
}

/**
 * A link to an order for long lists. The router's own link builds and watches a location, which is slow for forty rows.
 * Nothing needs preloading: the list has the order, and an idle page fetches the order view's code.
 */
export function OrderLink({ id, className, children }: Props) {
  const navigate = useNavigate()
  const open = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    void navigate({ to: '/orders/view/$id', params: { id } })
  }
  return (
    <a className={className} href={`/orders/view/${id}`} onClick={open}>
      {children}
    </a>
  )
}
