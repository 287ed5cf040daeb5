interface Section {
  readonly title: string
  readonly paragraphs: (provider: string) => readonly string[]
}

/** Our own words for the facts of TERMS-003 to TERMS-011, without additions (GAP-171). */
export const termsSections: readonly Section[] = [
  {
    title: 'Delivering orders',
    paragraphs: () => [
      'On-demand local orders must be delivered in under two hours of receipt.',
      'Mail orders must be handed to the carrier within one business day.',
    ],
  },
  {
    title: 'Legal age',
    paragraphs: () => [
      'The legal age is 21. It is checked by ID on delivery.',
      'When an order is cancelled because valid ID is missing or the recipient is under 21, a restocking fee of $20 applies. For mail orders the carrier’s charges are added to it.',
    ],
  },
  {
    title: 'Fees',
    paragraphs: () => [
      'Merchants may charge no delivery or handling fees. Third-party courier costs that were reported are the one exception.',
    ],
  },
  {
    title: 'Payment provider',
    paragraphs: (provider) => [
      `Before November 15, 2023 the payment provider named by ${provider} at the merchant’s registration was required. From that date on another payment provider may be required.`,
    ],
  },
  {
    title: 'Liability',
    paragraphs: (provider) => [`${provider}’s aggregate liability is capped at $10,000.`],
  },
  {
    title: 'Ending the agreement',
    paragraphs: (provider) => [
      `The merchant may terminate on 30 days’ written notice. ${provider} may terminate on written notice.`,
    ],
  },
  {
    title: 'Governing law',
    paragraphs: () => ['These terms are governed by the law of New York.'],
  },
]
