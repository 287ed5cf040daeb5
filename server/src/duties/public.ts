export { checkDuties } from './commands/decide-duty.ts'
export { loadOwnRules, loadShippedRules } from './load-rules.ts'
export { BadRuleFile } from './read-rule-file.ts'
export { findDutyBook, getDutyBook, type DutyBook } from './reads.ts'
