import type { Sealer } from '#platform/sealed-text.ts'

export const pushPurpose = 'push messages'

/** How this server sends push messages. */
export interface PushPolicy extends Pick<Sealer, 'seal' | 'open'> {
  /** Only the demo may call this machine itself. */
  readonly allowLoopback: boolean
  /** Where a push service can reach the operator of this server (RFC 8292). */
  readonly contact: string
}

/** As the browser gave it (RFC 8291); stored sealed, since it opens a way to the device. */
export interface Subscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}
