export { drawLabels, drawLabelsOnLetter, type LabelParty, type ParcelLabel } from './label.ts'
