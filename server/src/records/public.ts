export { periodProblems } from './period.ts'
export { purgeByRule } from './purge-by-rule.ts'
export { writeInspectorFile } from './write-inspector-file.ts'
