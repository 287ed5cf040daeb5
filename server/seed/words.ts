export interface Application {
  readonly ref: string
  readonly name: string
  readonly brand: string
  /** How often it sends, relative to the others. */
  readonly weight: number
}

/** The online shops whose orders the marketplace passes on. */
export const applications: readonly Application[] = [
  { ref: '5b0f8c52-6a0e-4f0b-9d0a-0d9f3b9c1a01', name: 'Corkline', brand: 'Corkline', weight: 8 },
  {
    ref: '5b0f8c52-6a0e-4f0b-9d0a-0d9f3b9c1a02',
    name: 'Copper Anchor Bottle Club',
    brand: 'Copper Anchor',
    weight: 5,
  },
  { ref: '5b0f8c52-6a0e-4f0b-9d0a-0d9f3b9c1a03', name: 'Aguja Azul Shop', brand: 'Aguja Azul', weight: 4 },
  {
    ref: '5b0f8c52-6a0e-4f0b-9d0a-0d9f3b9c1a04',
    name: 'Maison Averil Cadeaux',
    brand: 'Maison Averil',
    weight: 3,
  },
  {
    ref: '5b0f8c52-6a0e-4f0b-9d0a-0d9f3b9c1a05',
    name: 'Toast & Tell',
    brand: 'Toast & Tell Gifting',
    weight: 3,
  },
  { ref: '5b0f8c52-6a0e-4f0b-9d0a-0d9f3b9c1a06', name: '霧坂 Kirisaka Direct', brand: 'Kirisaka', weight: 1 },
]

export const giftMessages: readonly string[] = [
  'Happy birthday, Nana! Save me a glass.',
  'Congratulations on the new place — may the shelves never stand empty. 🥳',
  'Für die beste Schwester der Welt. Prost!',
  'お誕生日おめでとうございます。素敵な一年になりますように。',
  'מזל טוב! שתהיה שנה מתוקה.',
  'Feliz aniversario, mamá y papá. Cuarenta años y siguen bailando.',
  'To Sam & Alex:\nmay your marriage age better than this bottle.\n\nWith love from the whole table at number nine.',
  "Sorry about the fence. I'll bring the nails on Sunday.",
  'Thank you for everything you did for the "impossible" launch <3',
  'Bon rétablissement ! On t’embrasse fort.',
]

export const deliveryNotes: readonly string[] = [
  'Please ring twice; the bell is shy.',
  'Leave with the doorman, he has my ID on file. (If not, call me.)',
  'Gate code 4471#, second building on the left.',
  "Don't leave in the sun, please — it's wine!",
  'Back entrance on the alley, mind the step 🐕 friendly dog',
  'Вход со двора, домофон 12.',
  '电话联系，谢谢。',
  'Appeler à l’arrivée, l’ascenseur est en panne.',
  'الطابق الثالث، الباب الأيمن',
  'Office closes at 5 pm sharp; reception is on floor 2.',
]

export const engravings: readonly string[] = [
  'Happy 50th, Dad',
  'J & M\n14 · 06 · 2025',
  'For the one who\nalways brings ice',
  'Merci, Chef !',
  '家族へ\n感謝をこめて',
  'Class of ’04\nstill thirsty\nstill broke',
  'Ólafur & Þórdís',
  'Employee of the Decade\nDeepak R.',
]

export const promoCodes: readonly string[] = [
  'WELCOME10',
  'CHEERS',
  'FALL-FEST',
  'FRIENDS&FAMILY',
  'FREESHIP50',
]

export const cancelReasons: readonly string[] = [
  'Customer ordered twice by mistake.',
  'Customer changed their mind.',
  'Recipient moved; the customer will order again.',
  'Nobody over 21 at the address.',
]

export const disputeReasons: readonly string[] = [
  "The cardholder's bank opened a dispute: order not recognized.",
  'The cardholder says one bottle arrived broken.',
]

export const refundReasons: readonly string[] = [
  'Refunded in full.',
  'Refunded as a courtesy after the delay.',
]

export const outOfStockNotes: readonly string[] = [
  'Last bottle had a bad cork',
  '',
  'Distributor is out until next month',
  'Vintage changed — 2023 in stock instead',
]

export const rejectionNotes: readonly string[] = [
  'The address is outside the area we may deliver to.',
  'Water in the cellar; we are closed for the week.',
  'The customer could not show an ID on the phone.',
]

export const receivers: readonly string[] = [
  'the customer',
  'H. Whitlock',
  'Doorman (Luis)',
  'Zoë V.',
  '山田 明',
  "S. O'Driscoll",
]
export const drivers: readonly string[] = ['Aiko', 'Tom', 'Marguerite', 'Big Dave', 'Renée']
