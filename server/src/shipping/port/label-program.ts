import { answerQuestions } from '#platform/side-process/answer.ts'
import type { LabelTask } from './label-tasks.ts'
import { mergeLabels } from './merge-labels.ts'

const inch = 72
const letter = { width: 8.5 * inch, height: 11 * inch }

answerQuestions(async (task: LabelTask) => {
  if (task.kind === 'merge') return mergeLabels(task.files)
  // Most processes merge labels alone, and its library takes 30 MB.
  const { placeOnPages } = await import('#platform/pdf/merge.ts')
  return placeOnPages(task.bytes, letter)
})
