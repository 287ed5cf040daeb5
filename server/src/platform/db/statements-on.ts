import type pg from 'pg'
import type { Clock } from '../clock/clock.ts'
import type { Statements } from './database.ts'

/** For the slices' parts of the work, on the connection of the whole. */
export function statementsOn(client: pg.Client, clock: Clock): Statements {
  return {
    clock,
    async query<T>(text: string, values: readonly unknown[] = []) {
      return (await client.query(text, [...values])).rows as T[]
    },
  }
}
