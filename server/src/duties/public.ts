export { askOrdersAgain, checkDuties, holdRules } from './commands/decide-duty.ts'
export { loadShippedRules } from './load-rules.ts'
export { findDutyBook, getDutyBook, type DutyBook } from './reads.ts'
