import { answerThread } from '#platform/threads/answer.ts'
import { mergeLabels, type LabelFile } from './merge-labels.ts'

answerThread((files: readonly LabelFile[]) => mergeLabels(files))
