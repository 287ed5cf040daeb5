/** A wave has a tote for each order, named A to Z. */
export const waveAtMost = 26
