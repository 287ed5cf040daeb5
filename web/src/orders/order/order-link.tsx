import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { noteMark } from '../noted/note-mark.ts'

interface Props {
  id: string
  className?: string | undefined
  label?: string
  children: ReactNode
}

/**
 * A link to an order for long lists. The router's own link builds and watches a location, which is slow for forty rows.
 * Nothing needs preloading: the list has the order, and an idle page fetches the order view's code.
 */
export function OrderLink({ id, className, label, children }: Props) {
  const navigate = useNavigate()
  const open = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    void navigate({ to: '/orders/view/$id', params: { id } })
  }
  const mark = noteMark.use()(id)
  return (
    <>
      <a className={className} href={`/orders/view/${id}`} aria-label={label} onClick={open}>
        {children}
      </a>
      {!label && mark}
    </>
  )
}
