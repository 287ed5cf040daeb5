import { declaredValueProblem, readNumber, splitWeight, weightProblem } from '@cellarhand/contract/boxes'

/** A box as it is typed. */
export interface Box {
  weight: string
  insurance: string
}
export type Problems = Record<string, string | undefined>

export function evenly(boxes: readonly Box[], total: number | null): Box[] {
  if (total === null) return [...boxes]
  const weights = splitWeight(total, boxes.length)
  return boxes.map((box, index) => ({ ...box, weight: String(weights[index] ?? '') }))
}

export function problemsOf(boxes: readonly Box[]): Problems {
  const entries = boxes.flatMap(({ weight, insurance }, index) => [
    [`boxes.${index}.weight`, weightProblem(readNumber(weight))],
    [`boxes.${index}.insurance`, declaredValueProblem(readNumber(insurance))],
  ])
  return Object.fromEntries(entries) as Problems
}

/** The declared value is sent only if it is something (SHIP-008). */
export function wire({ weight, insurance }: Box) {
  const value = readNumber(insurance) ?? 0
  return { weight: readNumber(weight) ?? null, ...(value > 0 && { insurance: value }) }
}
