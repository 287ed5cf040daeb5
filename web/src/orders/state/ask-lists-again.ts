import type { QueryClient } from '@tanstack/react-query'
import { countLine, detailLine, listLine } from './queries.ts'

/** After a change of many orders at once. */
export function askListsAgain(queryClient: QueryClient): void {
  for (const line of [listLine, countLine, detailLine])
    void queryClient.invalidateQueries({ queryKey: [line] })
}
