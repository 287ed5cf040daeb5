import { createSideProcess, type Helping, type SideProcess } from '#platform/side-process/side-process.ts'
import type { FoundSales, SalesPage } from './sales-page.ts'

/** A page takes a hundredth of a second where the processor has time for it. */
const waitMs = 120_000

/** Finds the sales among some hundred orders, in processes of its own. In the server's own it would hold up requests. */
export interface SalesFinder {
  /** So many pages are worked on at a time; the next ones wait. */
  readonly atOnce: number
  find(page: SalesPage): Promise<FoundSales>
  stop(): Promise<void>
}

export function startSalesFinder({
  atOnce,
  ...given
}: Omit<Helping, 'waitMs'> & { readonly atOnce: number }): SalesFinder {
  const program = new URL('./sales-program.ts', import.meta.url)
  const processes = Array.from({ length: atOnce }, () => createSideProcess(program, { ...given, waitMs }))
  let pages = 0
  return {
    atOnce,
    find: (page) => (processes[pages++ % atOnce] as SideProcess).ask<FoundSales>(page),
    async stop() {
      await Promise.all(processes.map((each) => each.stop()))
    },
  }
}
