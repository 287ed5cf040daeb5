export { drawZplLabel } from './zpl-label.ts'
export { drawLabels, drawLabelsOnLetter, type LabelParty } from './label.ts'
