// Supervises PostgreSQL where no shell can (Windows). Run as a program, with the path of pg_ctl, the data directory and
// the settings. pg_ctl also drops administrator rights, which PostgreSQL refuses to have.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

const [pgCtl = '', dataDir = '', settings = ''] = process.argv.slice(2)
const logFile = `${dataDir}/server.log`

function pgCtlRun(...args: string[]) {
  return spawnSync(pgCtl, [...args, '-D', dataDir], { stdio: 'ignore', windowsHide: true })
}

fs.rmSync(logFile, { force: true })
const started = pgCtlRun('start', '-W', '-l', logFile, '-o', settings)
const watch = setInterval(() => {
  if (pgCtlRun('status').status !== 0) end(1)
}, 1000)

function end(code: number): void {
  clearInterval(watch)
  if (code !== 0 && fs.existsSync(logFile))
    process.stderr.write(fs.readFileSync(logFile, 'utf8').slice(-4000))
  process.exitCode = code
  process.stdin.destroy()
}

process.stdin.resume().on('end', () => {
  pgCtlRun('stop', '-m', 'fast', '-w', '-t', '600')
  end(0)
})
if (started.status !== 0) end(1)
