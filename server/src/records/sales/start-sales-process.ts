import { createSideProcess, type Helping, type SideProcess } from '#platform/side-process/side-process.ts'

/** A page takes a hundredth of a second where the processor has time for it. */
const waitMs = 120_000

/** The process that finds the sales among some hundred orders. In the server's own it would hold up requests. */
export function startSalesProcess(given: Omit<Helping, 'waitMs'>): SideProcess {
  return createSideProcess(new URL('./sales-program.ts', import.meta.url), { ...given, waitMs })
}
