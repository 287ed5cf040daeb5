import { paperFormats, type PaperFormat } from '@cellarhand/contract/paper-formats'
import { drawLabels, type ParcelLabel } from '../server/src/documents/papers/label.ts'
import { drawPackingSlip } from '../server/src/documents/papers/packing-slip.ts'
import { drawReceipt } from '../server/src/documents/papers/receipt.ts'
import { printed } from './rig/printed.ts'

// The processor time of printed pages: one-page slips and receipts on a warm server, and 500 labels.
const rounds = 5
const pages = 100
const labels = 500
const goals = { slipMs: 15, labelsMs: 2000 }

function label(number: number): ParcelLabel {
  return {
    carrier: 'UPS',
    service: 'Ground',
    trackingCode: `1Z999AA1${String(number).padStart(10, '0')}`,
    from: { name: 'Harbor Wine & Spirits', lines: ['12 Commerce St', 'New York, NY 10004'] },
    to: { name: `Zoë Łukasiewicz ${number}`, lines: [`${number} Pearl St`, 'New York, NY 10005'] },
    box: { number: 1, count: 1 },
    weightPounds: 12.5,
    orderNumber: String(1_000_000 + number),
    shippedAt: new Date(),
    timezone: 'America/New_York',
    needsAdultSignature: true,
    isSample: true,
  }
}

/** Median milliseconds of processor time, all threads of the process together. */
async function cpu(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}

async function each(count: number, draw: (number: number) => Promise<unknown>): Promise<void> {
  for (let number = 1; number <= count; number++) await draw(number)
}

const madeAt = new Date()
/** Milliseconds of one slip and one receipt on a paper, on average. */
async function measure(paper: PaperFormat): Promise<{ slipMs: number; receiptMs: number }> {
  const slip = (number: number) => drawPackingSlip(printed(number), { madeAt, paper, firstPrintedAt: null })
  const receipt = (number: number) => drawReceipt(printed(number), { madeAt, paper })
  await each(20, slip)
  await each(20, receipt)
  return {
    slipMs: (await cpu(() => each(pages, slip))) / pages,
    receiptMs: (await cpu(() => each(pages, receipt))) / pages,
  }
}

const measured = new Map<PaperFormat, Awaited<ReturnType<typeof measure>>>()
for (const paper of paperFormats) measured.set(paper, await measure(paper))
const numbers = Array.from({ length: labels }, (_, index) => index + 1)
const sheetMs = await cpu(() => drawLabels(numbers.map(label)))
const filesMs = await cpu(() => each(labels, (number) => drawLabels([label(number)])))

const verdict = (ms: number, goal: number) => (ms <= goal ? 'met' : 'MISSED')
for (const [paper, { slipMs, receiptMs }] of measured) {
  console.log(
    `${paper}: packing slip ${slipMs.toFixed(1)} ms of CPU (goal ${goals.slipMs}: ${verdict(slipMs, goals.slipMs)}), receipt ${receiptMs.toFixed(1)} ms`,
  )
}
console.log(
  `${labels} labels in one file: ${sheetMs.toFixed(0)} ms of CPU (goal ${goals.labelsMs}: ${verdict(sheetMs, goals.labelsMs)})`,
)
console.log(`${labels} labels, a file each: ${filesMs.toFixed(0)} ms of CPU`)
