import type { Upkeep } from '#platform/upkeep/upkeep.ts'

export const endedByRestore =
  'The desk was restored from a backup before this was finished. Please look at the order: it may be done already.'

export const documentsUpkeep: Upkeep = {
  async filesOf({ query }, merchantId) {
    const rows = await query<{ name: string }>(
      'select value as name from batches cross join json_each_text(files) where merchant_id = $1',
      [merchantId],
    )
    return rows.map(({ name }) => name)
  },
  /** Batches would buy labels. Those under way end here, and a clerk can ask for the rest again. */
  async afterRestore({ query }) {
    await query(
      `update batch_orders o set state = 'failed', error = $1
       from batches b where b.merchant_id = o.merchant_id and b.batch_id = o.batch_id and b.finished_at is null and o.state = 'waiting'`,
      [endedByRestore],
    )
    await query('update batches set finished_at = now() where finished_at is null')
    await query('delete from batch_papers')
  },
}
