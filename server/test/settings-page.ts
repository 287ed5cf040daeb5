import type { Part } from '../src/platform/settings/setting.ts'

const width = 110

type Parts = readonly Part<unknown>[]

/** docs/configuration.md */
export function configurationPage(parts: Parts): string {
  const lines = [
    '# Configuration',
    '',
    'Every setting is an environment variable. The server reads all of them before anything starts. A value that it cannot use ends the start with a sentence that names the variable.',
    '',
    '`npm start`, `npm run dev`, `npm run admin` and `npm run simulate` also read a file `.env` in the project ([.env.example](../.env.example)). What the environment itself says comes first.',
    '',
    'This page and `.env.example` are made from the settings’ declarations, which `server/src/settings.ts` lists: `npx vitest run -u server/src/settings.test.ts`.',
    ...parts.flatMap(({ title, about, settings }) => [
      '',
      `## ${title}`,
      '',
      ...(about === '' ? [] : [about, '']),
      '| variable | without it | meaning |',
      '|---|---|---|',
      ...Object.entries(settings).map(
        ([name, { without, meaning }]) => `| \`${name}\` | ${without} | ${meaning} |`,
      ),
    ]),
    '',
    '## Tests',
    '',
    '| variable | without it | meaning |',
    '|---|---|---|',
    '| `TEST_DATABASE_URL` | the embedded database | The server tests run on that PostgreSQL. |',
    '| `CHROMIUM_PATH` | a Chromium of the system, or a downloaded one | The browser tests use it. |',
  ]
  return `${lines.join('\n')}\n`
}

/** .env.example */
export function exampleFile(parts: Parts): string {
  const lines = [
    '# Settings of the server. Every line is optional in the demo. docs/configuration.md shows them as a page.',
    '# Copy this file to .env, which git ignores, and change it: npm start, dev, admin and simulate read it.',
    '# What the environment itself says comes first.',
    ...parts.flatMap(({ title, about, settings }) => [
      '',
      `# --- ${title} `.padEnd(width, '-'),
      ...comment(about),
      ...Object.entries(settings).flatMap(([name, { meaning, example }]) => [
        ...comment(meaning),
        `#${name}=${example}`,
      ]),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

/** Markdown as plain lines, without its links. */
function comment(markdown: string): string[] {
  const plain = markdown.replaceAll(/ ?\(?\[[^\]]*\]\([^)]*\)( says more\.|\))?/g, '').replaceAll('`', '')
  const lines: string[] = []
  for (const word of plain.split(' ').filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) lines.splice(-1, 1, `${last} ${word}`)
    else lines.push(`# ${word}`)
  }
  return lines
}
