import { orderDetailsCsv } from '@cellarhand/contract/order-csv'
import { systemClock } from '#platform/clock/system-clock.ts'
import { answerQuestions } from '#platform/side-process/answer.ts'
import { drawPackingSlip } from './packing-slip.ts'
import type { Drawn, PaperTask, PaperToDraw } from './paper-tasks.ts'
import { drawPickList } from './pick-list.ts'
import { drawReceipt } from './receipt.ts'
import { drawReport } from './report.ts'

const signMs = 250

answerQuestions(async (task: PaperTask) => {
  if (task.kind === 'draw') {
    const drawn: Drawn[] = []
    let saidMs = systemClock.readingMs()
    for (const paper of task.papers) {
      drawn.push(await draw(paper, task.madeAt))
      if (systemClock.readingMs() - saidMs < signMs) continue
      // Lets the process say that it works.
      await systemClock.sleep(0)
      saidMs = systemClock.readingMs()
    }
    return drawn
  }
  if (task.kind === 'details') return Buffer.from(orderDetailsCsv(task.orders), 'utf8')
  if (task.kind === 'report') return drawReport(task.report)
  const { papers, pickList } = task
  const first = pickList === undefined ? [] : [await drawPickList(pickList.list, pickList.paper)]
  // Most processes draw single papers, and its library takes 25 MB.
  const { mergePdfs } = await import('#platform/pdf/merge.ts')
  return mergePdfs([...first, ...papers])
})

/** An order that cannot be drawn fails alone. */
async function draw(asked: PaperToDraw, madeAt: Date): Promise<Drawn> {
  const { position, type, paper, printed, firstPrintedAt } = asked
  try {
    const bytes =
      type === 'receipt'
        ? await drawReceipt(printed, { madeAt, paper })
        : await drawPackingSlip(printed, { madeAt, paper, firstPrintedAt })
    return { position, type, bytes, error: undefined }
  } catch (error) {
    return { position, type, bytes: undefined, error: String(error) }
  }
}
