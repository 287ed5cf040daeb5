import { runAdmin } from './admin-commands.ts'

process.exitCode = await runAdmin(process.argv.slice(2), {
  env: process.env,
  input: process.stdin,
  say: (line) => process.stdout.write(`${line}\n`),
  note: (text) => process.stderr.write(text),
  isWatched: process.stderr.isTTY,
})
