import { beverageClasses, roads, type DutyKind } from '@cellarhand/contract/duty-rules'
import { usStates } from '@cellarhand/contract/us-states'
import type { ShopRule } from './queries.ts'

type Rule = ShopRule['rule']
type Applies = Rule['applies']

/** A rule as an owner changes it: each field a text, empty for "not limited". */
export interface RuleFields {
  roads: string[]
  classes: string[]
  abv_over: string
  zips: string
  /** The fields of the value, by name. */
  value: Record<string, string>
}

export interface ValueInput {
  readonly name: string
  readonly label: string
  readonly form: 'number' | 'time' | 'text' | 'list' | 'choice' | 'yes'
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
}

const litres: readonly ValueInput[] = [{ name: 'litres', label: 'Litres', form: 'number' }]

/** What each kind of rule lets an owner change of its value. */
const inputs: Record<DutyKind, readonly ValueInput[]> = {
  destination: [
    {
      name: 'answer',
      label: 'Answer',
      form: 'choice',
      choices: [
        { value: 'allow', label: 'Allowed' },
        { value: 'deny', label: 'Not allowed' },
        { value: 'licence', label: 'Only with a licence' },
      ],
    },
  ],
  dry_area: [],
  po_box: [],
  carrier_service: [{ name: 'services', label: 'Services, separated by commas', form: 'list' }],
  adult_signature: [],
  hours: [
    { name: 'from', label: 'No hand-over from', form: 'time' },
    { name: 'to', label: 'Until', form: 'time' },
  ],
  age_check: [{ name: 'is_electronic', label: 'The ID must be scanned', form: 'yes' }],
  retention: [{ name: 'years', label: 'Years', form: 'number' }],
  purge: [{ name: 'after_days', label: 'Days', form: 'number' }],
  slip_text: [{ name: 'text', label: 'Text', form: 'text' }],
  volume_report: litres,
  quantity_limit: litres,
}

/** The inputs for a rule's value; a carrier's rule that names no services has none. */
export function inputsOf({ kind, value }: Pick<Rule, 'kind' | 'value'>): readonly ValueInput[] {
  if (kind === 'carrier_service' && (value as { asks: string }).asks !== 'services') return []
  return inputs[kind]
}

/** The rule as it holds at the shop now. */
export function heldRule({ rule, decision }: Pick<ShopRule, 'rule' | 'decision'>): Rule {
  if (decision?.decision !== 'changed') return rule
  return { ...rule, applies: decision.applies ?? rule.applies, value: decision.value ?? rule.value }
}

export function fieldsOf(rule: Rule): RuleFields {
  const value = rule.value as Record<string, unknown>
  const text = (given: unknown): string => {
    if (Array.isArray(given)) return given.join(', ')
    return given === undefined ? '' : String(given)
  }
  return {
    roads: [...(rule.applies.roads ?? roads)],
    classes: [...(rule.applies.classes ?? beverageClasses.filter((each) => each !== 'none'))],
    abv_over: text(rule.applies.abv_over),
    zips: text(rule.applies.zips),
    value: Object.fromEntries(inputsOf(rule).map(({ name }) => [name, text(value[name])])),
  }
}

export type FieldProblems = Record<string, string>

interface Read {
  readonly applies: Applies
  readonly value: unknown
}

/** What the fields say, or what is wrong with them, by field. */
export function readFields(rule: Rule, fields: RuleFields): Read | FieldProblems {
  const problems: FieldProblems = {}
  const zips = listIn(fields.zips)
  const abv = fields.abv_over.trim()
  if (fields.roads.length === 0) problems['roads'] = 'Please choose at least one'
  if (fields.classes.length === 0) problems['classes'] = 'Please choose at least one'
  if (zips.some((zip) => !/^\d{3,5}$/.test(zip))) problems['zips'] = 'Three to five digits each'
  if (abv !== '' && !(Number(abv) >= 0 && Number(abv) <= 100)) problems['abv_over'] = 'A number from 0 to 100'
  const value = { ...(rule.value as Record<string, unknown>) }
  for (const input of inputsOf(rule)) {
    const text = fields.value[input.name]?.trim() ?? ''
    if (input.form === 'yes') {
      if (text === 'true') value[input.name] = true
      else delete value[input.name]
    } else if (input.form === 'list') value[input.name] = listIn(text)
    else value[input.name] = input.form === 'number' ? Number(text) : text
    const problem = problemOf(input, text)
    if (problem !== undefined) problems[input.name] = problem
  }
  if (Object.keys(problems).length > 0) return problems
  return { applies: appliesOf(rule.applies, fields, { abv, zips }), value }
}

export function isRead(result: Read | FieldProblems): result is Read {
  return 'applies' in result && typeof result.applies === 'object'
}

function problemOf({ form }: ValueInput, text: string): string | undefined {
  if (form === 'yes') return undefined
  if (text === '') return 'Please fill this in'
  if (form === 'number' && !(Number(text) > 0)) return 'A number above 0'
  return form === 'time' && !/^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? 'A time such as 02:00' : undefined
}

function listIn(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** A rule about all roads or all classes names none of them, as in the file of rules. */
function appliesOf(
  before: Applies,
  fields: RuleFields,
  { abv, zips }: { abv: string; zips: string[] },
): Applies {
  const drinks = beverageClasses.filter((each) => each !== 'none')
  const classes = beverageClasses.filter((each) => fields.classes.includes(each))
  const chosen = roads.filter((each) => fields.roads.includes(each))
  return {
    ...(before.from && { from: before.from }),
    ...(chosen.length < roads.length && { roads: chosen }),
    ...(classes.length < drinks.length && { classes }),
    ...(abv !== '' && { abv_over: Number(abv) }),
    ...(zips.length > 0 && { zips }),
  }
}

/** Whether the rule tells all of the words: in its sentence, its name, its place or its source. */
export function tells({ rule }: Pick<ShopRule, 'rule'>, words: string): boolean {
  const place = usStates.find(([code]) => code === rule.state)?.[1] ?? 'every state'
  const text = [rule.id, rule.words, rule.source, place, ...(rule.applies.roads ?? [])]
    .join(' ')
    .toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Whether the fields say what the rule itself says. */
export function isSameRule(read: Read, rule: Rule): boolean {
  const own = readFields(rule, fieldsOf(rule))
  return isRead(own) && isSame(read.applies, own.applies) && isSame(read.value, own.value)
}

function isSame(one: unknown, other: unknown): boolean {
  const inOrder = (value: unknown) =>
    JSON.stringify(Object.entries(value as object).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return inOrder(one) === inOrder(other)
}

/** The value in words, such as "Litres: 9". */
export function valueWords(rule: Pick<Rule, 'kind' | 'value'>): string {
  const value = rule.value as Record<string, unknown>
  return inputsOf(rule)
    .flatMap(({ name, label, form, choices }) => {
      const given = value[name]
      if (given === undefined) return []
      if (form === 'yes') return given === true ? [label] : []
      const said = Array.isArray(given) ? given.join(', ') : String(given)
      const words = choices?.find((each) => each.value === given)?.label ?? said
      return [`${label.split(',')[0] ?? label}: ${words}`]
    })
    .join(', ')
}
