import { limitGarbage } from '../garbage-collection.ts'
import { runAfterRequests, runInIdleTime } from './idle-time.ts'

// The first file of a process that `side-process.ts` starts: its priority comes before the program's own files.
const [, , program = '', patience] = process.argv
if (patience === 'patient') runInIdleTime()
else runAfterRequests()
limitGarbage(30)

// A signal to the whole group, as of Ctrl-C and systemd, is the server's to answer: it may still need this paper. The
// process ends with the server, however that ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.once('disconnect', () => process.exit())

await import(program)
