// Finds wordings that make a reader stumble: clauses in place of nouns, and verbs that nobody says aloud.
// `node scripts/words.mjs` prints them.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { listFiles, ROOT } from './runtime.mjs'

/** Files and folders whose prose is checked: Markdown, and the comments of code. */
const CHECKED = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs',
  'ops',
  'contract',
  'client',
  'server',
  'web',
  'e2e',
  'bench',
  'scripts',
]

/** The catalogue keeps the statements of the specification, in its words. */
const LEFT_OUT = new Set(['docs/requirements.md'])

const AUXILIARY =
  '(?:is|are|was|were|has|have|had|may|must|can|cannot|could|will|would|should|does|did|stands|lies|waits|remains)'
const PLACE = '(?:at|on|above|below|beside|between|behind|under|there|around)'

/** Each pattern with the advice that goes with it. */
const RULES = [
  [/\bmend(?:s|ed|ing)?\b/gi, 'write "fix"'],
  [/\b(?:who|whom|what)(?:so)?ever\b/gi, 'name the person or thing, or write "any"'],
  [new RegExp(`\\bst(?:ands|ood)\\s+${PLACE}\\b`, 'gi'), 'write "is", "has" or "shows"'],
  [/\bstands\s+in\s+(?:an?|the|its|their|one|both|each|every)\b/gi, 'write "is in", or "the file has"'],
  [new RegExp(`\\bl(?:ies|ay)\\s+(?:in|outside|beyond|${PLACE})\\b`, 'gi'), 'write "is" or "keeps"'],
  [/\breckon(?:s|ed|ing)?\b/gi, 'write "compute" or "count"'],
  [/\bwhat\s+(?:becomes|became|has\s+become|had\s+become)\s+of\b/gi, 'write "the outcome of"'],
  [
    /\b(?:to|for|by|from|of|with|than|as|is)\s+who\b/gi,
    'name the person: "the clerk who", "the worker that"',
  ],
  [new RegExp(`\\b(?:to|for|by|from|of|with|than)\\s+what\\s+${AUXILIARY}\\b`, 'gi'), 'name the thing'],
]
/** A sentence that begins with such a clause, and is no question. */
const HEADS = [
  [/^who\s(?!.*\?)/is, 'begin with the person: "the clerk who"'],
  [new RegExp(`^what\\s+${AUXILIARY}\\b(?!.*\\?)`, 'is'), 'begin with the thing'],
]

/** The wordings in the prose of a file, each with its line. */
export function findWordings(name, text) {
  const blocks = name.endsWith('.md') ? markdownBlocks(text) : commentBlocks(text)
  return blocks.flatMap(findInBlock).toSorted((a, b) => a.line - b.line)
}

function findInBlock({ line, text }) {
  const found = []
  const add = (index, words, advice) =>
    found.push({
      line: line + lineBreaks(text.slice(0, index)),
      words: words.replaceAll(/\s+/g, ' '),
      advice,
    })
  for (const [pattern, advice] of RULES) {
    for (const match of text.matchAll(pattern)) add(match.index, match[0], advice)
  }
  for (const { index, sentence } of sentencesOf(text)) {
    for (const [pattern, advice] of HEADS) {
      if (pattern.test(sentence)) add(index, sentence.split(/\s+/).slice(0, 5).join(' '), advice)
    }
  }
  return found
}

const lineBreaks = (text) => text.split('\n').length - 1

/** A clause after a colon or a semicolon counts as a sentence. */
function sentencesOf(text) {
  return [...text.matchAll(/[^.!?:;]+(?:[.!?:;]+(?!\s)[^.!?:;]+)*[.!?:;]*/g)].map(({ 0: part, index }) => ({
    index: index + part.length - part.trimStart().length,
    sentence: part.trim(),
  }))
}

/** Paragraphs, items and rows, without code and the targets of links. Entries of released versions stay as they are. */
function markdownBlocks(text) {
  const released = text.search(/^## \[\d/m)
  const current = released < 0 ? text : text.slice(0, released)
  const prose = current
    .replaceAll(/^```.*?^```/gms, blank)
    .replaceAll(/`[^`\n]*`/g, (code) => 'x'.repeat(code.length))
    .replaceAll(/\]\([^)\n]*\)/g, blank)
  return prose.split('\n').map((line, index) => ({
    line: index + 1,
    text: line.replace(/^\s*(?:[-*>]|\d+\.)\s+/, '').replaceAll(/\*\*/g, ''),
  }))
}

const blank = (text) => text.replaceAll(/[^\n]/g, ' ')

/** Comments. Neighbouring comments of one line are one text. */
function commentBlocks(text) {
  const blocks = []
  let last
  for (const match of text.matchAll(/\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gms)) {
    const line = lineBreaks(text.slice(0, match.index)) + 1
    const words = match[0]
      .replace(/^\/[/*]+/, '')
      .replace(/\*\/$/, '')
      .replaceAll(/\n\s*\*/g, '\n')
      .replaceAll(/`[^`\n]*`/g, 'x')
    const joins = match[0].startsWith('//') && last?.until === line - 1
    if (joins) last.text += `\n${words}`
    else blocks.push((last = { line, text: words }))
    last.until = match[0].startsWith('//') ? line : undefined
  }
  return blocks
}

/** The files with prose below the given files and folders. */
export function proseFiles(roots = CHECKED, root = ROOT) {
  return roots
    .map((entry) => path.join(root, entry))
    .flatMap((entry) => (fs.statSync(entry).isDirectory() ? listFiles(entry) : [entry]))
    .filter((file) => /\.(?:md|tsx?|mjs|css)$/.test(file) && !file.includes('/node_modules/'))
    .filter((file) => !LEFT_OUT.has(path.relative(root, file)))
}

/** One line for each wording: place, words, advice. */
export function report(files, root = ROOT) {
  return files.flatMap((file) =>
    findWordings(file, fs.readFileSync(file, 'utf8')).map(
      ({ line, words, advice }) => `${path.relative(root, file)}:${line} "${words}": ${advice}`,
    ),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lines = report(proseFiles())
  if (lines.length > 0) console.log(lines.join('\n'))
  process.exitCode = lines.length > 0 ? 1 : 0
}
