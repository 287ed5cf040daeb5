const recipe = [
  { from: 'abcdefghijklmnopqrstuvwxyz', count: 6 },
  { from: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', count: 3 },
  { from: '#!$&*()', count: 3 },
  { from: '0123456789', count: 4 },
] as const

/** Returns a whole number from 0 up to but not including the limit, all equally likely. */
export type PickBelow = (limit: number) => number

/** 6 lowercase letters, 3 uppercase letters, 3 symbols and 4 digits, shuffled (PROF-004, PROF-005). */
export function generatePassword(pickBelow: PickBelow = secureBelow): string {
  const signs = recipe.flatMap(({ from, count }) =>
    Array.from({ length: count }, () => from.charAt(pickBelow(from.length))),
  )
  return shuffled(signs, pickBelow).join('')
}

/** Fisher-Yates: all sequences are equally likely. */
function shuffled(signs: readonly string[], pickBelow: PickBelow): string[] {
  const left = [...signs]
  const order: string[] = []
  while (left.length > 0) order.push(...left.splice(pickBelow(left.length), 1))
  return order
}

/** Uses one random byte. Bytes above the last whole multiple of the limit would favour the first values. */
export function belowFrom(nextByte: () => number): PickBelow {
  return (limit) => {
    const end = 256 - (256 % limit)
    for (;;) {
      const byte = nextByte()
      if (byte < end) return byte % limit
    }
  }
}

const secureBelow = belowFrom(() => crypto.getRandomValues(new Uint8Array(1))[0] ?? 0)
