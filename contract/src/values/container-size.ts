const millilitresPer = { ml: 1, cl: 10, l: 1000, oz: 29.5735 } as const

interface ContainerSize {
  readonly unit: keyof typeof millilitresPer
  /** Of all pieces together. */
  readonly millilitres: number
}

/** Reads "750 mL", "1.5 L" or "6 x 12 oz"; undefined when the text is no such size. */
export function readContainerSize(text: string): ContainerSize | undefined {
  const match = /^\s*(?:(\d+)\s*x\s*)?(\d+(?:\.\d+)?)\s*(ml|cl|l|oz)\b/i.exec(text)
  if (match === null) return undefined
  const [, pieces = '1', each, given = 'ml'] = match
  const unit = given.toLowerCase() as ContainerSize['unit']
  return { unit, millilitres: Number(pieces) * Number(each) * millilitresPer[unit] }
}
