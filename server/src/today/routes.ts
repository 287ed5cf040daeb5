import * as lines from '@cellarhand/contract/today'
import type { Database } from '#platform/db/database.ts'
import type { Http } from '#platform/http/server.ts'
import { getShift } from './shift.ts'
import { getClerkFigures, getDayFigures } from './reads.ts'

export function serveToday({ serve }: Http, db: Database): void {
  serve(lines.getDayFigures, ({ caller, query }) => getDayFigures(db, caller.merchantId, query.day))
  serve(lines.getClerkFigures, ({ caller, query }) => getClerkFigures(db, caller.merchantId, query.day))
  serve(lines.getShift, ({ caller }) => getShift(db, caller.merchantId))
}
