import { expect } from 'vitest'
import type { TurnableDesk } from '../desk.ts'
import type { PushedMessage, PushReceiver, PushService } from './push-service.ts'

/** The messages of a service, by receiver, as a desk's server sends them. */
export function postsOf(service: () => PushService, desk: () => TurnableDesk) {
  const to = ({ path }: PushReceiver) => service().received.filter((message) => message.path === path)
  const arrives = (receiver: PushReceiver, count = 1) =>
    desk().later(async () => {
      expect(to(receiver)).toHaveLength(count)
      // A turn of the clock would end the lease of a message whose answer is on its way, and it would be sent again.
      const { rows } = await desk().owner.query(
        `select from push_messages where ended_at is null and attempts > 0 and due_at <= now() + interval '7 s'`,
      )
      expect(rows).toEqual([])
      return to(receiver).at(-1) as PushedMessage
    })
  const said = (receiver: PushReceiver, message: PushedMessage): unknown =>
    JSON.parse(receiver.decrypt(message.body))
  return { to, arrives, said }
}
