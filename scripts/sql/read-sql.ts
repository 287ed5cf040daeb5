import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { ROOT } from '../runtime.mjs'

/** One place that writes a table. */
export interface Write {
  readonly file: string
  readonly table: string
}

export interface ReadFile {
  readonly writes: readonly Write[]
  /** The words that begin each statement. */
  readonly statements: readonly string[]
}

const writing =
  /\b(?:insert into|delete from|merge into|truncate(?: table)?|update(?= (?:only )?[\w"$]+ (?:(?:as )?\w+ )?set )|copy(?= [\w"$]+ (?:\(|from |to )))(?: only)? (?:parts\.)?"?(?<table>\w+|\$)/g
const beginning =
  /^(?:with \w+ as|select |insert into|update \w+ (?:\w+ )?set|delete from|merge into|truncate|copy \w+|lock table)/

/** The server's files by their path below `server/src`, without tests. */
export function serverSources(): (readonly [file: string, source: string])[] {
  const root = path.join(ROOT, 'server', 'src')
  return fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => [file.replaceAll('\\', '/'), fs.readFileSync(path.join(root, file), 'utf8')])
}

/** The statements in the strings of a file. A table whose name is put together while the program runs is `$`. */
export function readSql(file: string, source: string): ReadFile {
  const writes: Write[] = []
  const statements: string[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    if (text !== undefined) {
      const sql = text
        .replaceAll(/--[^\n]*/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()
        .toLowerCase()
      if (beginning.test(sql)) statements.push(sql.slice(0, 60))
      for (const { groups } of sql.matchAll(writing)) writes.push({ file, table: groups?.['table'] ?? '' })
    }
    // The platform writes a table that a slice describes: one with due work, sealed text or rows past their use.
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'table') {
      const table = textOf(node.initializer)
      if (table !== undefined) writes.push({ file, table })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true))
  return { writes, statements }
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `$${literal.text}`).join('')
}
