import { answerClosing } from '@cellarhand/contract/closing'
import type { Duty } from '@cellarhand/contract/duties'
import type { OrderUpdate } from '@cellarhand/contract/orders'
import { recordedFieldLabels } from '@cellarhand/contract/door-checks'
import { isLocal } from '@cellarhand/contract/order-statuses'
import { TrackingFields } from '@cellarhand/contract/tracking-fields'
import type { Statements } from '#platform/db/database.ts'
import type { Sealer } from '#platform/sealed-text.ts'
import { refuse, refuseInvalid } from '#platform/http/refuse.ts'
import { handOverPatch } from '../document/delivery-details.ts'
import { keepCheckFields, recordedFor } from '../document/age-check-fields.ts'
import { carriedDuties, inShort } from '../document/order-duties.ts'
import {
  mergeReport,
  ownComment,
  parseReport,
  reportComment,
  reportDetails,
} from '../document/rejection-message.ts'
import { withShortage } from '../document/shortage.ts'
import { requireAllowedCarrier, trackingPatch } from '../document/tracking.ts'
import { takeLinesDown } from '../document/lines-gone.ts'
import type { MerchantStep } from '../document/merchant-step.ts'
import { lockOrder } from '../document/lock-order.ts'
import { moveOrder } from '../document/move-order.ts'
import type { StoredOrder } from '../document/stored-order.ts'

/** One call for accept, ship, item reports and closing: the wanted status decides which. */
export async function updateOrder(
  statements: Statements,
  by: MerchantStep & { readonly checkFields: Pick<Sealer, 'seal'> },
  update: OrderUpdate,
): Promise<string> {
  const step = { ...by, seenVersion: update.version }
  if (update.id !== undefined && update.id !== step.orderId)
    refuse('validation_failed', { errors: { id: 'Must be the id in the address' } })
  await refuseLocalTracking(statements, step, update)
  switch (update.status) {
    case 'MERCHANT_ACCEPTED':
      return moveOrder(statements, { ...step, action: 'accept' })
    case 'REJECTED_PARTIAL':
      return reportItems(statements, step, update)
    case 'CLOSED':
      return closeOrder(statements, step, update)
    case 'MERCHANT_SHIPPED':
      return shipOrder(statements, step, update)
  }
}

/**
 * Without the check that a rule asks for, or what it makes the shop record of the ID, the shop's setting decides: it is
 * refused, or recorded as missing.
 */
async function closeOrder(
  statements: Statements,
  step: MerchantStep & { readonly checkFields: Pick<Sealer, 'seal'> },
  update: OrderUpdate,
): Promise<string> {
  const typed = update.delivery_info
  const fields = typed?.age_check?.fields
  const transit = { ...step, action: 'deliver', handedOverOn: typed?.delivered_on } as const
  const toKeep: Parameters<typeof keepCheckFields>[2][] = []
  const text = await moveOrder(statements, transit, (order, asked) => {
    if (asked === undefined) throw new Error('A hand-over asks the rules')
    const { timezone } = asked.book
    const patch = handOverPatch(typed, order, {
      actor: step.actor,
      nowMs: statements.clock.nowMs(),
      timezone,
    })
    const check = patch.age_check ?? order.age_check
    const { wanted, unchecked, lacking, isRefused } = answerClosing(asked.answer.must, {
      closing: asked.book.closing,
      check,
      fields,
    })
    const recorded = recordedFor(wanted, fields)
    if (recorded && patch.age_check)
      toKeep.push({ ...step, ...recorded, checkedAt: patch.age_check.checked_at })
    if (isRefused) {
      if (unchecked.length > 0) refuse('age_check_required', detailsOf(unchecked, check))
      refuseInvalid({ 'age_check.fields': notRecorded(lacking) })
    }
    if (lacking.length === 0) return { patch }
    const missing = lacking.map(inShort)
    const duties = {
      ...carriedDuties(asked.answer, order.duties),
      block: [],
      must: wanted.map(inShort),
      missing,
    }
    return { patch: { ...patch, duties }, details: { missing: missing.map(({ rule }) => rule) } }
  })
  for (const kept of toKeep) await keepCheckFields(statements, step.checkFields, kept)
  return text
}

function notRecorded(lacking: readonly Duty[]): string {
  const names = new Set(lacking.flatMap(({ record = [] }) => record.map((name) => recordedFieldLabels[name])))
  return `A rule asks to record: ${[...names].join(', ')}`
}

/** A driver that has seen the ID reads why that is not enough. */
function detailsOf(wanted: readonly Duty[], check: StoredOrder['age_check']): { message?: string } {
  if (check?.result !== 'passed') return {}
  const words = wanted.map((duty) => duty.words).join(' ')
  return {
    message: `${words} The ID has to be scanned. Please record a scan, or that it was not handed over.`,
  }
}

/** A local order goes out for delivery, with no tracking; any other needs to say with which carrier it goes. */
async function shipOrder(statements: Statements, step: MerchantStep, update: OrderUpdate): Promise<string> {
  const { order } = await lockOrder(statements, step)
  if (isLocal(order.delivery.method)) return moveOrder(statements, { ...step, action: 'send_out' })
  return moveOrder(statements, { ...step, action: 'save_tracking' }, async (order) => {
    const patch = trackingPatch(update.order ?? {})
    await requireAllowedCarrier(statements, step.merchantId, { order, patch })
    return {
      patch,
      details: { carrier: patch.shipment_info?.[0]?.carrier, tracking_code: patch.tracking_id },
    }
  })
}

const noTracking = 'A local order is delivered by the store and has no tracking number'

/** In every status: only a step that ships would read the tracking, and the others would drop it. */
async function refuseLocalTracking(
  statements: Statements,
  step: MerchantStep,
  update: OrderUpdate,
): Promise<void> {
  if (!hasTracking(update.order ?? {})) return
  const { order } = await lockOrder(statements, step)
  refuseInvalid({ tracking_id: isLocal(order.delivery.method) ? noTracking : undefined })
}

function hasTracking(typed: NonNullable<OrderUpdate['order']>): boolean {
  return (Object.keys(TrackingFields) as (keyof typeof TrackingFields)[]).some((field) =>
    typed[field]?.trim(),
  )
}

async function reportItems(statements: Statements, step: MerchantStep, update: OrderUpdate): Promise<string> {
  return moveOrder(statements, { ...step, action: 'report_items' }, async (order) => {
    const report = parseReport(update.order?.rejection_message, order)
    const { message, added } = mergeReport(order, report)
    if (added === 0)
      refuse('validation_failed', {
        errors: { rejection_message: 'Report at least one line that is not reported yet' },
      })
    await takeLinesDown(statements, step, { order, message })
    const rejection = { rejection_message: JSON.stringify(message) }
    return {
      patch: {
        ...rejection,
        ...ownComment(reportComment(message, order)),
        ...withShortage({ ...order, ...rejection }),
      },
      details: reportDetails(report, message),
    }
  })
}
