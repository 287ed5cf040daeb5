import type { Statements } from '#platform/db/database.ts'

/** Later orders carry these instructions for the courier (GAP-138). */
export async function saveCourierInstructions(
  { query }: Statements,
  merchantId: string,
  instructions: string | null,
): Promise<void> {
  await query('update merchants set courier_pick_instructions = $2 where merchant_id = $1', [
    merchantId,
    instructions,
  ])
}
