import type { Upkeep } from '#platform/upkeep/upkeep.ts'
import { pushPurpose } from './push/push-address.ts'
import { wasRefused } from './push/refused-device.ts'

export const watchUpkeep: Upkeep = {
  sweeps: [
    {
      table: 'watch_screens',
      key: 'merchant_id, user_id, screen',
      which: "seen_at < now() - interval '10 minutes'",
    },
    {
      table: 'watch_texts',
      key: 'merchant_id, text_id',
      which: "created_at < now() - interval '7 days'",
    },
    {
      table: 'push_messages',
      key: 'merchant_id, message_id',
      which: `created_at < now() - interval '7 days' and not (${wasRefused})`,
    },
    // A device that was refused learns so when the desk is opened on it again.
    {
      table: 'push_messages',
      key: 'merchant_id, message_id',
      which: "created_at < now() - interval '90 days'",
    },
    // Its person has neither opened the settings nor been told anything for a quarter of a year.
    {
      table: 'push_devices',
      key: 'merchant_id, device_id',
      which: "alive_at < now() - interval '90 days'",
    },
  ],
  sealedColumns: [
    { table: 'push_keys', keys: ['merchant_id'], column: 'private_sealed', purpose: pushPurpose },
    {
      table: 'push_devices',
      keys: ['merchant_id', 'device_id'],
      column: 'subscription_sealed',
      purpose: pushPurpose,
    },
  ],
  // A device was switched on in a session, and sessions stay. The shop's key goes along.
  stays: ['watch_screens', 'push_devices', 'push_messages'],
  underWay: ['select from watch_texts where merchant_id = $1 and ended_at is null'],
  // No screen could say that it watches, and it needs a moment to come back.
  async afterOpening({ query }, merchantId) {
    await query('update watches set since_at = now() where merchant_id = $1', [merchantId])
  },
  // The same after a restore, and an old message helps nobody.
  async afterRestore({ query }) {
    await query('update watches set since_at = now()')
    await query(
      "update watch_texts set ended_at = now(), error = 'Held back by a restore, and dropped' where ended_at is null",
    )
    await query(
      "update push_messages set ended_at = now(), error = 'Held back by a restore, and dropped' where ended_at is null",
    )
    // A device that was switched off after the backup must stay so; its person is signed out anyway.
    await query('delete from push_devices')
  },
}
