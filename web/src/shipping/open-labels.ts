import { messages } from '@cellarhand/contract/messages'
import { followToFile } from '#lib/calls/call.ts'
import { isForLabelPrinter, printFile } from '#lib/output/print-file.ts'
import { saveBlob } from '#lib/output/save-file.ts'
import { tellFailure, toast } from '#ui/notes/toasts.tsx'
import type { Label } from './queries.ts'

/** A press that prints labels takes back the failure of an earlier one. */
export function labelsAction(orderId: string): string {
  return `labels of ${orderId}`
}

/** Prints all labels of an order, or saves them if only a label printer can read them. */
export function openLabels(orderId: string, labels: readonly Label[]): void {
  const whole = labels[0]?.print_url ?? labels.find(({ label_url }) => label_url !== null)?.label_url
  if (!whole) return
  if (isForLabelPrinter(labels[0]?.media_type)) void saveForPrinter(orderId, whole)
  else printFile(whole)
}

async function saveForPrinter(orderId: string, address: string): Promise<void> {
  const name = `labels-${orderId}.zpl`
  try {
    saveBlob(name, await followToFile(address))
    toast('success', `Saved as ${name}`, 'Send this file to your label printer.')
  } catch {
    tellFailure(
      labelsAction(orderId),
      messages.somethingWentWrong,
      'The labels could not be fetched. Print them from the order.',
    )
  }
}
