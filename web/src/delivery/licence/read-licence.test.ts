import { describe, expect, test } from 'vitest'
import { examples, samples, textOf, type Sample } from './licence-samples.ts'
import { hasFamilyName, readLicence, typedDay, verdictOf } from './read-licence.ts'

const today = '2026-11-23'
const read = (text: string, on = today) => readLicence(text, on)
const card = (changes: Partial<Sample> = {}, elements: Record<string, string> = {}): string => {
  const [sample] = samples.slice(-1) as [Sample]
  return textOf({ ...sample, ...changes, elements: { ...sample.elements, ...elements } })
}
const whole = card()

describe('licences in the form of the standard', () => {
  test.each(samples.map((sample) => [sample.name, sample] as const))('%s', (_name, sample) => {
    expect(read(textOf(sample))).toEqual(sample.means)
  })

  test.each(examples.map((example) => [example.name, example] as const))(
    'the example card of the standard, %s',
    (_name, example) => {
      const text = textOf(example)
      expect(text).toContain(example.list)
      expect(read(text)).toEqual(example.means)
    },
  )

  test('the samples are of every version and both forms of the header', () => {
    expect([...new Set(samples.map(({ version }) => version))].toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ])
    expect(new Set(samples.map(({ header }) => header))).toEqual(new Set(['ANSI ', 'AAMVA']))
  })

  test.each([
    ['line feeds for all control characters', (text: string) => text.replaceAll(/\p{Cc}/gu, '\n')],
    ['Windows line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['no last sign', (text: string) => text.slice(0, -1)],
    ['one more Enter', (text: string) => `${text}\n`],
    ['the keys of a record separator and a line end', (text: string) => text.replace('\x1e\r', '6M')],
    ['a broken scan before it', (text: string) => text.slice(0, 90) + text],
  ])('a hand scanner that sends %s', (_name, typed) => {
    for (const sample of samples) expect(read(typed(textOf(sample)))).toEqual(sample.means)
  })
})

/** Every text that differs from this one by one bit of one sign. */
function* flipped(text: string): Generator<{ at: number; text: string }> {
  for (let at = 0; at < text.length; at++)
    for (let bit = 1; bit < 128; bit *= 2) {
      const sign = String.fromCharCode(text.charCodeAt(at) ^ bit)
      yield { at, text: text.slice(0, at) + sign + text.slice(at + 1) }
    }
}

const dates = ['00000000', '99999999', '02292031', '20310229', '04312031', '13012031', '20311301', '        ']

describe.each(samples)('a card that looks like $name', (sample) => {
  const { elements, means } = sample
  const whole = textOf(sample)
  const withElements = (changes: Record<string, string>) =>
    read(textOf({ ...sample, elements: { ...elements, ...changes } }))

  test('a flipped bit changes nothing but the date that it hits', () => {
    const isIn = (at: number, id: string) => {
      const from = whole.indexOf(`${id}${elements[id]}`) + 3
      return at >= from && at < from + 8
    }
    for (const { at, text } of flipped(whole)) {
      const found = read(text)
      if (typeof found === 'string') continue
      expect(found.kind, text).toBe(means.kind)
      if (!isIn(at, 'DBB')) expect(found.born, text).toBe(means.born)
      if (!isIn(at, 'DBA')) expect(found.expires, text).toBe(means.expires)
    }
  })

  test('two elements whose values are swapped give no other birth and no other last day', () => {
    const ids = Object.keys(elements)
    for (const [one, other] of ids.flatMap((id) => ids.map((each) => [id, each] as const))) {
      const swapped = withElements({ [one]: elements[other] ?? '', [other]: elements[one] ?? '' })
      if (typeof swapped !== 'string') expect(swapped, `${one} and ${other}`).toEqual(means)
    }
  })

  test.each(['DBB', 'DBA', 'DBD'])('no date in %s that is no day', (id) => {
    for (const date of dates)
      expect([date, withElements({ [id]: date })]).toEqual([
        date,
        // A card may leave out the day of its issue.
        id === 'DBD' && date.trim() === '' ? means : expect.stringMatching(/contradictory|no_licence/),
      ])
  })
})

/** mulberry32: the same numbers from 0 to 1 in each run. */
function randoms(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** An order that must not be handed over: born 2010, with the day of the 21st birthday as cards of minors have it. */
const minor = ({ elements, ...sample }: Sample): Sample => {
  const turned =
    elements['DBB']?.startsWith('1985') === true ? ['20100131', '20310131'] : ['01312010', '01312031']
  return { ...sample, elements: { ...elements, DBB: turned[0] ?? '', DDJ: turned[1] ?? '' } }
}
const isOver21 = (text: string): boolean => {
  const found = read(text)
  return typeof found !== 'string' && verdictOf(found, today).is_over_21
}

describe('a damaged card of a minor is never one of 21', () => {
  test.each(samples)(
    '$name, with any one sign lost, doubled or another, and any line lost, doubled or moved',
    (sample) => {
      const text = textOf(minor(sample))
      expect(read(text)).toMatchObject({ born: '2010-01-31' })
      const lines = text.split('\n')
      const passed: string[] = []
      const look = (damaged: string): void => void (isOver21(damaged) && passed.push(damaged))
      for (let at = 0; at < text.length; at++) {
        const [before, sign, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
        look(before + after)
        look(before + sign + sign + after)
        for (const other of '019ADBQSZ@ \n\r\x1e') {
          look(before + other + after)
          look(before + other + sign + after)
        }
      }
      for (let at = 0; at < lines.length; at++) {
        look(lines.toSpliced(at, 1).join('\n'))
        look(lines.toSpliced(at, 0, lines[at] ?? '').join('\n'))
        for (let to = 0; to < lines.length; to++)
          look(
            lines
              .toSpliced(at, 1)
              .toSpliced(to, 0, lines[at] ?? '')
              .join('\n'),
          )
      }
      expect(passed).toEqual([])
    },
  )

  test('100,000 cards with up to five damages', () => {
    const next = randoms(7)
    const below = (limit: number): number => Math.floor(next() * limit)
    const signs = '0123456789ABDGJQSZ@ \n\r\x1e'
    const texts = samples.map((sample) => textOf(minor(sample)))
    const passed: string[] = []
    for (let round = 0; round < 100_000; round++) {
      let text = texts[below(texts.length)] ?? ''
      for (let damages = below(5) + 1; damages > 0; damages--) {
        const [at, length] = [below(text.length), below(4)]
        const put = [
          '',
          signs.charAt(below(signs.length)),
          Array.from(text.slice(at, at + length))
            .toReversed()
            .join(''),
          text.slice(at, at + length).repeat(2),
        ]
        text = text.slice(0, at) + (put[below(put.length)] ?? '') + text.slice(at + length)
      }
      if (isOver21(text)) passed.push(text)
    }
    expect(passed).toEqual([])
  })

  test('behind a whole or a broken card of an adult', () => {
    for (const sample of samples) {
      const young = textOf(minor(sample))
      for (const before of [whole, whole.slice(0, -40), whole.slice(0, 60)])
        expect(isOver21(before + young)).toBe(false)
    }
  })
})

describe('another code', () => {
  test.each([
    ['a web address (QR)', 'https://example.com/@ANSI 636014100102DL00410288'],
    ['a boarding pass (PDF417)', 'M1SAMPLE/ROWAN        EABC123 JFKLAXAA 0123 327Y012A0025 100'],
    [
      'a parcel label (MaxiCode)',
      '[)>\x1e01\x1d96941051234\x1d840\x1d003\x1d1Z12345677\x1dUPSN\x1d12345E\x1e\x04',
    ],
    [
      'the lines of a passport',
      'P<USASAMPLE<<ROWAN<<<<<<<<<<<<<<<<<<<<<<<<<<\nX000000174USA8501311X3101315<<<<<<<<<<<<<<04\n',
    ],
    ['a business card (QR)', 'BEGIN:VCARD\nVERSION:3.0\nN:Sample;Rowan\nBDAY:19850131\nEND:VCARD\n'],
    ['a medicine (Data Matrix)', '\x1d0100312345678906172311301012345'],
  ])('%s is no licence', (_name, text) => {
    expect(read(text)).toBe('no_licence')
  })
})

describe('text that is no whole licence', () => {
  test('no beginning of a licence passes, save without the sign that ends it', () => {
    for (const sample of samples) {
      const text = textOf(sample)
      for (let length = 0; length < text.length - 1; length++)
        expect(read(text.slice(0, length)), `${sample.name}, ${length}`).toBeTypeOf('string')
    }
  })

  test('no licence passes without any one of its characters', () => {
    for (const sample of samples) {
      const text = textOf(sample)
      for (let at = 0; at < text.length - 1; at++) {
        const cut = read(text.slice(0, at) + text.slice(at + 1))
        // A control character beside another one says nothing.
        if (typeof cut !== 'string') {
          expect(cut).toEqual(sample.means)
          expect(text.slice(at, at + 1)).toMatch(/\p{Cc}/u)
        }
      }
    }
  })

  test('100,000 random texts', () => {
    const next = randoms(21)
    const signs = '@\n\r\x1eANSI 636014DLIDBADBBDCGUSA0123456789'
    const passed: string[] = []
    for (let round = 0; round < 100_000; round++) {
      const length = Math.floor(next() * 60)
      const noise = Array.from({ length }, () => signs[Math.floor(next() * signs.length)]).join('')
      const text = round % 2 === 0 ? noise : whole.slice(0, Math.floor(next() * 60)) + noise
      if (typeof read(text) !== 'string') passed.push(text)
    }
    expect(passed).toEqual([])
  })

  test.each([
    ['nothing', '', 'no_licence'],
    ['the bar code of a bottle', '0123456789012\n', 'no_licence'],
    ['its first sign alone', '@', 'incomplete'],
    ['another standard', whole.replace('ANSI ', 'ISO  '), 'no_licence'],
    ['an issuer outside the list', whole.replace('ANSI 636', 'ANSI 999'), 'no_licence'],
    ['version 0', whole.replace(/(ANSI 636\d{3})10/, '$100'), 'unknown_version'],
    ['version 11', whole.replace(/(ANSI 636\d{3})10/, '$111'), 'unknown_version'],
    ['another part first', whole.replace('DL', 'ZX'), 'no_licence'],
    ['a part that is not the listed one', whole.replace('DLDAQ', 'IDDAQ'), 'no_licence'],
    ['no parts', whole.replace(/(ANSI 636\d{5}\d\d)01/, '$100'), 'no_licence'],
  ])('%s', (_name, text, problem) => {
    expect(read(text)).toBe(problem)
  })

  test.each<[string, Record<string, string>, string]>([
    ['no number', { DAQ: '' }, 'no_licence'],
    ['no birth date', { DBB: '' }, 'no_licence'],
    ['no last day', { DBA: '' }, 'no_licence'],
    ['no country', { DCG: '' }, 'no_licence'],
    ['another country', { DCG: 'FRA' }, 'no_licence'],
    ['no postcode', { DAK: '' }, 'no_licence'],
    ['a Canadian postcode in the US', { DAK: 'K1A0B1' }, 'no_licence'],
    ['a birth date that is no day', { DBB: '02301985' }, 'contradictory'],
    ['letters in a birth date', { DBB: '0131198S' }, 'contradictory'],
    ['a short birth date', { DBB: '013185' }, 'contradictory'],
    ['a last day that is no day', { DBA: '13312031' }, 'contradictory'],
    ['a birth tomorrow', { DBB: '11242026' }, 'contradictory'],
    ['a birth tomorrow without an issue', { DBB: '11242026', DBD: '' }, 'contradictory'],
    ['a birth 150 years ago', { DBB: '01311876' }, 'contradictory'],
    ['a last day before the birth', { DBA: '01311980' }, 'contradictory'],
    ['an issue before the birth', { DBD: '01311980' }, 'contradictory'],
    ['an issue tomorrow', { DBD: '11242026' }, 'contradictory'],
    ['an issue after the last day', { DBA: '01312020', DBD: '02012020' }, 'contradictory'],
    ['a 21st birthday that fits another birth', { DDJ: '01312008' }, 'contradictory'],
  ])('%s', (_name, elements, problem) => {
    expect(read(card({}, elements))).toBe(problem)
  })

  test('two birth dates', () => {
    expect(read(card({ more: 'DBB01312001' }))).toBe('contradictory')
    expect(read(card({ more: 'no element' }))).toBe('no_licence')
  })

  test('a word in place of a date that the card does not have', () => {
    expect(read(card({}, { DDJ: 'NONE', DBD: '' }))).toEqual(samples.at(-1)?.means)
  })
})

describe('the family name', () => {
  test.each([
    ['SAMPLE', {}, 'Sample', true],
    ['SAMPLE', {}, 'Samples', false],
    ['SAMPLE', {}, 'Rowan', false],
    ['SAMPLE', {}, '', false],
    ['OHARA', {}, 'O’Hara', true],
    ['ÉCHANTILLON', {}, 'Echantillon', true],
    ['PAPADIMITRIOU WHITFIELD', {}, 'Papadimitriou-Whitfield', true],
    ['PAPADIMITRIOU-WHIT', { DDE: 'T' }, 'Papadimitriou-Whitfield', true],
    ['PAPADIMITRIOU-WHITFIELD', { DDE: 'T' }, 'Papadimitriou', true],
    ['PAPADIMITRIOU-WHIT', { DDE: 'N' }, 'Papadimitriou-Whitfield', false],
    ['', { DDE: 'T' }, 'Sample', false],
  ] as const)('%s, %o: %s', (...[DCS, elements, name, fits]) => {
    expect(hasFamilyName(card({}, { DCS, ...elements }), name)).toBe(fits)
  })

  test('of every sample, as each version writes it', () => {
    for (const sample of [...samples, ...examples]) {
      const name = sample.elements['DCS'] ?? sample.elements['DAA']?.split(',')[0] ?? ''
      expect(hasFamilyName(textOf(sample), name), sample.name).toBe(true)
      expect(hasFamilyName(textOf(sample), 'Rowan'), sample.name).toBe(false)
    }
  })

  test('of two that differ, and of a text that is no licence', () => {
    expect(hasFamilyName(card({ more: 'DCSOTHER' }), 'Sample')).toBe(false)
    expect(hasFamilyName('SAMPLE', 'Sample')).toBe(false)
  })
})

describe('the verdict', () => {
  test.each([
    ['the day before the birthday', '2005-11-24', false],
    ['the birthday', '2005-11-23', true],
    ['the day after', '2005-11-22', true],
    ['much younger', '2012-01-01', false],
  ])('%s', (_name, born, is_over_21) => {
    expect(verdictOf({ born, expires: '2030-01-01' }, today)).toEqual({ is_over_21, is_expired: false })
  })

  test('a person born on the 29th of February is 21 on the 1st of March', () => {
    const born = '2004-02-29'
    expect(verdictOf({ born, expires: '2030-01-01' }, '2025-02-28').is_over_21).toBe(false)
    expect(verdictOf({ born, expires: '2030-01-01' }, '2025-03-01').is_over_21).toBe(true)
  })

  test.each([
    ['yesterday', '2026-11-22', true],
    ['today', '2026-11-23', false],
    ['never', '9999-12-31', false],
  ])('the last day was %s', (_name, expires, is_expired) => {
    expect(verdictOf({ born: '1985-01-31', expires }, today)).toEqual({ is_over_21: true, is_expired })
  })
})

test.each([
  ['1/31/1985', '1985-01-31'],
  ['02/29/2004', '2004-02-29'],
  ['02/29/2005', undefined],
  ['31/01/1985', undefined],
  ['1985-01-31', undefined],
  ['', undefined],
])('a typed date %s', (text, day) => {
  expect(typedDay(text)).toBe(day)
})
