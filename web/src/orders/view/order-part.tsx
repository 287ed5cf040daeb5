import type { ReactNode } from 'react'
import { Suspense, use } from 'react'
import type { OrderPartProps, PartPlace } from './order-parts.ts'
import { OrderParts } from './order-parts.ts'

interface PlaceProps extends OrderPartProps {
  place: PartPlace
  /** Shown until the part has come. */
  room?: ReactNode
}

export function OrderPart({ place, room, ...props }: PlaceProps) {
  const Part = use(OrderParts)[place]
  if (!Part) return null
  return (
    <Suspense fallback={room}>
      <Part {...props} />
    </Suspense>
  )
}
