import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

interface Props {
  id: string
  className?: string | undefined
  children: ReactNode
}

/**
 * A link to an order for long lists: the router's own builds and watches a location per link, which forty rows feel.
 * There is nothing to preload: the list has the order already, and the order view's code comes when the page is idle.
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
