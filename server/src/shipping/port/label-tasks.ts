import type { Database } from '#platform/db/database.ts'
import type { SideProcess } from '#platform/side-process/side-process.ts'
import { createTurns } from '#platform/turns/turns.ts'
import type { LabelFile } from './label-files.ts'

/** The tasks of the process that works on labels. */
export type LabelTask =
  | { readonly kind: 'merge'; readonly files: readonly LabelFile[] }
  /** Puts each page of a PDF in the middle of a letter page. */
  | { readonly kind: 'letter'; readonly bytes: Uint8Array }

/** Works for all merchants, one task after the other, and for one merchant after the other. */
export interface LabelPress {
  /** Reads the files only once it is the merchant's turn, so that waiting requests keep none in memory. */
  merge(merchantId: string, read: () => Promise<readonly LabelFile[]>): Promise<LabelFile>
  placeOnLetter(merchantId: string, bytes: Uint8Array): Promise<Buffer>
}

/** A signed link needs no session. The server refuses at once more than a shop's clerks ask for together. */
const waiting = 20
/** The steps of a batch bring more, and no stranger can ask for these. */
const waitingForLetter = 100
/** With the time of the work less than a browser waits for its answer. */
const waitMs = 20_000
/** The server still has a file of megabytes to take in and to send after the turn. */
const mergeGaps = { shortestMs: 150, longestMs: 400, waiting }

export function createLabelPress(
  counter: SideProcess,
  { clock, pace }: Pick<Database, 'clock' | 'pace'>,
): LabelPress {
  const limits = { places: 1, perKey: 1, waitMs }
  const merging = createTurns({ ...limits, waiting, leavesGaps: true, gaps: mergeGaps }, clock, pace)
  // Lines of their own, so that no crowd in front of merged files costs a bought label its paper.
  const placing = createTurns({ ...limits, waiting: waitingForLetter }, clock)
  const ask = async <T>(task: LabelTask) => counter.ask<T>(task)
  return {
    merge: (merchantId, read) =>
      merging.run(merchantId, async () => {
        const { mediaType, bytes } = await ask<LabelFile>({ kind: 'merge', files: await read() })
        return { mediaType, bytes: Buffer.from(bytes) }
      }),
    placeOnLetter: (merchantId, bytes) =>
      placing.run(merchantId, async () => Buffer.from(await ask<Uint8Array>({ kind: 'letter', bytes }))),
  }
}
