// Finds regular expressions that take more than linear time: one request with a long text would stop the server.
// `node scripts/patterns.mjs [folder]` reads the code below the folder; without one, the project's.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import recheck from 'recheck/lib/browser.js'
import ts from 'typescript'
import { listFiles, ROOT } from './runtime.mjs'

/** The code that reads texts from outside. Tests and scripts read only our own. */
const FOLDERS = ['contract/src', 'client/src', 'server/src', 'server/seed', 'web/src']
/** Ajv compiles the patterns of the contract's schemas with this flag. */
const SCHEMA_FLAGS = 'u'

/** The files that are checked. */
export function checkedFiles(root) {
  return FOLDERS.map((folder) => path.join(root, folder))
    .filter((folder) => fs.existsSync(folder))
    .flatMap(listFiles)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
}

/** The patterns of a file with their lines. A pattern without a source cannot be read from the code. */
export function patternsIn(file) {
  const tree = ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const constants = constantsOf(tree)
  const found = []
  const add = (node, source, flags) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart())
    found.push({ line: line + 1, code: node.getText(), source, flags })
  }
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      add(node, node.text.slice(1, end), node.text.slice(end + 1))
    } else if (isRegExpMade(node)) {
      const [pattern, flags] = node.arguments ?? []
      const readFlags = flags === undefined ? '' : textOf(flags, constants)
      add(node, readFlags === undefined ? undefined : textOf(pattern, constants), readFlags)
    } else if (isSchemaPattern(node)) {
      add(node, textOf(node.initializer, constants), SCHEMA_FLAGS)
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

const isRegExpMade = (node) =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp'

/** `pattern: '…'` of a schema and `pattern="…"` of an input. */
const isSchemaPattern = (node) =>
  (ts.isPropertyAssignment(node) || ts.isJsxAttribute(node)) &&
  node.name.getText() === 'pattern' &&
  node.initializer !== undefined &&
  !ts.isRegularExpressionLiteral(node.initializer)

/** Names of the file's constants, with their values. */
function constantsOf(tree) {
  const constants = new Map()
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.parent.flags & ts.NodeFlags.Const)
      constants.set(node.name.getText(), node.initializer)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return constants
}

/** The text of an expression, as far as the file itself gives it. */
function textOf(node, constants) {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return textOf(node.expression, constants)
  if (ts.isIdentifier(node)) return textOf(constants.get(node.text), constants)
  if (ts.isTemplateExpression(node))
    return joined([
      node.head.text,
      ...node.templateSpans.flatMap(({ expression, literal }) => [
        textOf(expression, constants),
        literal.text,
      ]),
    ])
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return joined([textOf(node.left, constants), textOf(node.right, constants)])
  return undefined
}

const joined = (parts) => (parts.includes(undefined) ? undefined : parts.join(''))

/** Why a pattern must go, or undefined. The pattern's automaton gives the answer, without trials. */
export function patternProblem({ source, flags }) {
  if (source === undefined)
    return 'is put together while the program runs. Write it out, so that it can be checked'
  const verdict = recheck.checkSync(source, flags, { checker: 'automaton', timeout: null })
  if (verdict.status === 'safe') return undefined
  if (verdict.status === 'unknown') return `cannot be checked (${verdict.error.kind}). Write it more simply`
  const { pumps, suffix } = verdict.attack
  const attack = [...pumps.map(({ prefix, pump }) => `${prefix}${pump.repeat(3)}…`), suffix].join('')
  return `takes ${words[verdict.complexity.type]} time, for example on ${JSON.stringify(attack)}`
}

const words = { polynomial: 'more than linear', exponential: 'exponential' }

function run(root) {
  const problems = new Map()
  let count = 0
  let slow = 0
  for (const file of checkedFiles(root))
    for (const pattern of patternsIn(file)) {
      count += 1
      const key = `${pattern.flags} ${pattern.source}`
      if (!problems.has(key)) problems.set(key, patternProblem(pattern))
      const problem = problems.get(key)
      if (problem === undefined) continue
      slow += 1
      console.log(`${path.relative(root, file)}:${pattern.line}: ${pattern.code} ${problem}.`)
    }
  console.log(`${count} patterns, ${slow} to rewrite`)
  return slow === 0 ? 0 : 1
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = run(path.resolve(process.argv[2] ?? ROOT))
