import { DutyRuleForm, dutyValues, roads, type DutyRule } from '@cellarhand/contract/duty-rules'
import { compileValidator, fieldErrors } from '#platform/http/validation.ts'

const formProblems = checkOf(DutyRuleForm)
const valueProblems = Object.fromEntries(
  Object.entries(dutyValues).map(([kind, schema]) => [kind, checkOf(schema)]),
)

function checkOf(schema: unknown): (value: unknown) => string | undefined {
  const check = compileValidator({ schema, httpPart: 'body' })
  return (value) => {
    const result = check(value)
    if (result === true) return undefined
    return Object.entries(fieldErrors(result.error))
      .map(([field, sentence]) => (field === '' ? sentence : `${field}: ${sentence}`))
      .join('; ')
  }
}

/** The fault of a value that an owner gives a rule of this kind. */
function valueProblem(kind: string, value: unknown): string | undefined {
  const problem = valueProblems[kind]?.(value)
  if (problem !== undefined) return problem
  if (kind === 'carrier_service') return listProblem(value as CarrierValue)
  if (kind !== 'hours') return undefined
  const { from, to } = value as { from: string; to: string }
  return from === to ? 'to: Must be another time of day than from' : undefined
}

interface CarrierValue {
  readonly carrier: string
  readonly asks: string
  readonly services?: readonly string[]
}

/** A list that is forgotten would forbid every service, and one beside another demand would forbid none. */
function listProblem({ asks, services }: CarrierValue): string | undefined {
  if ((asks === 'services') === (services !== undefined)) return undefined
  return services === undefined ? 'services: Must be given' : 'services: Belongs to asks "services" alone'
}

/** What an owner can make of a carrier's demand: the shop's own contract may name services, or be missing. */
const stricter = ['services', 'deny']

/** The fault of a change that makes another rule of it: of another carrier, or a milder one. */
export function changeProblem(rule: { kind: string; value: unknown }, value: unknown): string | undefined {
  const problem = valueProblem(rule.kind, value)
  if (problem !== undefined || rule.kind !== 'carrier_service') return problem
  const [shipped, wanted] = [rule.value, value] as [CarrierValue, CarrierValue]
  const end = 'To end the rule, set it aside'
  if (wanted.carrier !== shipped.carrier) return `carrier: Must stay ${shipped.carrier}. ${end}`
  if (wanted.asks === shipped.asks || stricter.includes(wanted.asks)) return undefined
  return `asks: Must stay ${shipped.asks}, or be one of ${stricter.join(', ')}. ${end}`
}

/** A file of rules that cannot be taken; the message names the file, the row and the reason. */
export class BadRuleFile extends Error {
  constructor(file: string, problems: readonly string[]) {
    super(`${file}: ${problems.join('\n')}`)
    this.name = 'BadRuleFile'
  }
}

/** All rules of a file, or none: one that is wrong or that contradicts another refuses the file, with row and reason. */
export function readRuleFile(file: string, text: string): DutyRule[] {
  const rows = parse(file, text)
  const problems = rows.flatMap((row, index) => {
    const problem = problemOf(row)
    return problem === undefined ? [] : [`row ${index + 1}: ${problem}`]
  })
  if (problems.length > 0) throw new BadRuleFile(file, problems)
  const rules = rows as DutyRule[]
  const clashes = rules.flatMap((rule, index) =>
    rules.slice(0, index).flatMap((earlier, place) => {
      const clash = clashOf(earlier, rule)
      return clash === undefined ? [] : [`row ${index + 1}: ${clash} row ${place + 1}`]
    }),
  )
  if (clashes.length > 0) throw new BadRuleFile(file, clashes)
  return rules
}

/** Compares a file's rules with those that are in force beside it. */
export function refuseClashes(file: string, rules: readonly DutyRule[], inForce: readonly DutyRule[]): void {
  const clashes = rules.flatMap((rule, index) =>
    inForce.flatMap((other) => {
      const clash = clashOf(other, rule)
      return clash === undefined ? [] : [`row ${index + 1}: ${clash} ${other.id}, which is in force`]
    }),
  )
  if (clashes.length > 0) throw new BadRuleFile(file, clashes)
}

function parse(file: string, text: string): unknown[] {
  let rows: unknown
  try {
    rows = JSON.parse(text)
  } catch (error) {
    throw new BadRuleFile(file, [error instanceof Error ? error.message : 'is not JSON'])
  }
  if (!Array.isArray(rows)) throw new BadRuleFile(file, ['must be a list of rules'])
  return rows
}

function problemOf(row: unknown): string | undefined {
  const form = formProblems(row)
  if (form !== undefined) return form
  const rule = row as DutyRule
  const value = valueProblem(rule.kind, rule.value)
  if (value !== undefined) return `value.${value}`
  // Without the places, a whole state would be dry.
  if (rule.kind === 'dry_area' && rule.applies.zips === undefined) return 'applies.zips: Must be given'
  const days = [rule.read_on, rule.valid_from, rule.valid_to].filter((day) => day !== null)
  const unreal = days.find((day) => !isRealDay(day))
  if (unreal !== undefined) return `${unreal} is not a real date`
  if (rule.valid_from !== null && rule.valid_to !== null && rule.valid_to < rule.valid_from)
    return `valid_to ${rule.valid_to} is before valid_from ${rule.valid_from}`
  return undefined
}

function isRealDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

/** Several rules of these kinds may be about the same orders. */
const together = new Set(['carrier_service', 'slip_text'])

function clashOf(one: DutyRule, other: DutyRule): string | undefined {
  if (one.id === other.id) return `the id ${other.id} is taken by`
  if (one.kind !== other.kind || one.state !== other.state || !isSame(meant(one), meant(other)))
    return undefined
  if (one.kind === 'purge' && other.kind === 'purge' && areOfOther(one.value, other.value)) return undefined
  const apart =
    (one.valid_to ?? '9999') < (other.valid_from ?? '') || (other.valid_to ?? '9999') < (one.valid_from ?? '')
  if (apart) return undefined
  if (isSame(one.value, other.value)) return 'says the same as'
  return together.has(one.kind) ? undefined : 'contradicts'
}

/** A list of every road leaves no order out, as none does. */
function meant({ applies: { roads: named, ...rest } }: DutyRule): DutyRule['applies'] {
  return named === undefined || roads.every((road) => named.includes(road)) ? rest : { roads: named, ...rest }
}

type PurgeValue = Extract<DutyRule, { kind: 'purge' }>['value']

function areOfOther({ of = ['id_fields'] }: PurgeValue, { of: other = ['id_fields'] }: PurgeValue): boolean {
  return of.every((each) => !other.includes(each))
}

/** In any order of fields and of choices. */
function isSame(one: object, other: object): boolean {
  const inOrder = (value: object) =>
    JSON.stringify(
      Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, each]) => [name, Array.isArray(each) ? each.toSorted() : each]),
    )
  return inOrder(one) === inOrder(other)
}
