// Finds a Chromium for the browser tests, and installs one if there is none.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { packageProgram, pinnedNode, ROOT } from './runtime.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const HEADLESS_SHELL = 'chromium-headless-shell'
const USUAL_PLACES = {
  linux: ['/usr/bin/chromium', '/usr/bin/google-chrome', '/opt/google/chrome/chrome', '/snap/bin/chromium'],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) =>
    [
      'Google/Chrome/Application/chrome.exe',
      'Chromium/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
    ].map((inside) => path.join(process.env[name] ?? '', inside)),
  ),
}

// Otherwise each new window starts two more pages for the suggestions under its hidden address bar, which costs a third
// of our own page's time. Chromium heeds only the last list of disabled features, so this one repeats Playwright's.
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'PreloadTopChromeWebUI',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** Chromium's arguments: no calls to the network, and no need for a graphics card or user namespaces. */
export const CHROMIUM_ARGUMENTS = [
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A Chromium of this system: CHROMIUM_PATH, or one in a usual place. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) return fs.existsSync(named) ? named : undefined
  const onPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => NAMES.map((name) => path.join(folder, name)))
  return [...(USUAL_PLACES[process.platform] ?? []), ...onPath].find(isFile)
}

/**
 * Chromium without its windows, where the system has one: it takes two thirds of the time, and shows no PDF. A Chromium
 * that CHROMIUM_PATH names serves all tests.
 */
export function findHeadlessShell() {
  if (process.env.CHROMIUM_PATH) return undefined
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, HEADLESS_SHELL))
    .find(isFile)
}

/** CHROMIUM_PATH for a child process, if there is a Chromium. */
export function chromiumEnvironment() {
  const found = findChromium() ?? playwrightChromium()
  return found ? { CHROMIUM_PATH: found } : {}
}

/** A Chromium, installed if needed; undefined, with the reason printed, if it cannot be installed. */
export function ensureChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named && !fs.existsSync(named)) {
    console.error(`CHROMIUM_PATH names ${named}, which does not exist.`)
    return undefined
  }
  const there = findChromium() ?? playwrightChromium()
  if (there) return there
  console.log('No Chromium found: trying "playwright install chromium" ...')
  spawnSync(pinnedNode(), [packageProgram('playwright'), 'install', 'chromium'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 600_000,
  })
  const downloaded = playwrightChromium()
  if (downloaded && starts(downloaded)) return downloaded
  if (process.getuid?.() === 0 && isFile('/usr/bin/apt-get')) {
    console.log('Trying the distribution: apt-get install chromium ...')
    const options = {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }
    spawnSync('apt-get', ['update', '-qq'], options)
    for (const name of ['chromium', HEADLESS_SHELL])
      spawnSync('apt-get', ['install', '-y', '-qq', name], options)
  }
  const installed = findChromium()
  if (!installed)
    console.error(
      'There is no Chromium and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one.',
    )
  return installed
}

function playwrightChromium() {
  const ask =
    "import('playwright-core').then(({ chromium }) => process.stdout.write(chromium.executablePath()))"
  const { stdout } = spawnSync(pinnedNode(), ['-e', ask], { cwd: ROOT, encoding: 'utf8' })
  return isFile(stdout) ? stdout : undefined
}

// Playwright's download may lack libraries that only the distribution provides.
function starts(chromium) {
  return spawnSync(chromium, ['--version'], { timeout: 30_000 }).status === 0
}

function isFile(file) {
  return Boolean(file) && (fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false)
}
