/** The sizes of paper on which slips, receipts and pick lists are laid out. */
export const paperFormats = ['letter', 'roll80', 'label4x6'] as const
export type PaperFormat = (typeof paperFormats)[number]

export const paperLabels: Record<PaperFormat, string> = {
  letter: 'Letter, 8.5 × 11 in',
  roll80: 'Roll, 80 mm wide',
  label4x6: 'Label, 4 × 6 in',
}
