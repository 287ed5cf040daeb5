/**
 * The two-sample Kolmogorov-Smirnov test: the probability that two samples of one distribution differ this much. Near
 * 0, the samples can be told apart.
 */
export function separability(one: readonly number[], other: readonly number[]): number {
  const share = (sample: readonly number[], limit: number) =>
    sample.filter((value) => value <= limit).length / sample.length
  const distance = Math.max(
    ...[...one, ...other].map((value) => Math.abs(share(one, value) - share(other, value))),
  )
  const size = Math.sqrt((one.length * other.length) / (one.length + other.length))
  const lambda = (size + 0.12 + 0.11 / size) * distance
  const terms = Array.from({ length: 100 }, (_, index) => {
    const k = index + 1
    return (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda)
  })
  return Math.min(
    1,
    Math.max(
      0,
      terms.reduce((sum, term) => sum + term, 0),
    ),
  )
}
