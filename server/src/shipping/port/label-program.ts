import { answerQuestions } from '#platform/side-process/answer.ts'
import { mergeLabels, type LabelFile } from './merge-labels.ts'

answerQuestions((files: readonly LabelFile[]) => mergeLabels(files))
