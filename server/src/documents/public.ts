export { drawLabels, drawLabelsOnLetter, type LabelParty } from './label.ts'
