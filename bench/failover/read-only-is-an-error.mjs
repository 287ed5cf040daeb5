// Loaded before a server by the canary of the same name: takes the read-only error out of "the database is away".
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.endsWith('/platform/db/database.ts')) return loaded
    const source = String(loaded.source)
    const spoiled = source.replaceAll('25006', '00000')
    if (spoiled === source) throw new Error('The canary finds no 25006 to take out')
    return { ...loaded, source: spoiled }
  },
})
