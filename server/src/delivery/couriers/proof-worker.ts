import { claim, fewestUnderWay } from '#platform/jobs/claim.ts'
import { startDueWork } from '#platform/jobs/due-work.ts'
import type { Worker } from '#platform/jobs/worker.ts'
import { isLate, proofs, takeProof, type DueProof } from './courier-proofs.ts'
import type { CourierWorkerDeps } from './courier-worker.ts'
import type { CourierProof } from './courier.ts'

const atOnce = 4

/** Fetches the proofs of deliveries from the services that made them. */
export function startProofWorker(deps: CourierWorkerDeps): Worker {
  const { db, services, onError } = deps
  return startDueWork({
    db,
    table: proofs,
    take: (limit) =>
      claim<DueProof>({ query: db.systemQuery }, proofs, {
        // A service that is no longer set up cannot be asked until it is again. Its late proof is missing all the same.
        which: `due_at <= now() and exists (
          select from courier_deliveries d where d.merchant_id = due.merchant_id and d.order_id = due.order_id
            and d.attempt = due.attempt and (d.service = any ($1) or ${isLate('due')}))`,
        values: [services.all.map(({ name }) => name)],
        first: fewestUnderWay(proofs, 'due_at is not null'),
        limit,
        returning: 'merchant_id, order_id, attempt',
      }),
    run: (due) => fetchProof(deps, due),
    atOnce,
    onError,
  })
}

interface Delivered {
  readonly service: string
  readonly delivery_id: string
  readonly service_id: string | null
  readonly asked_at: Date
}

async function fetchProof(
  { db, services, onChange, onError }: CourierWorkerDeps,
  due: DueProof,
): Promise<void> {
  const [delivered] = await db.read(due.merchant_id, ({ query }) =>
    query<Delivered>(
      `select service, delivery_id, service_id, asked_at from courier_deliveries
       where merchant_id = $1 and order_id = $2 and attempt = $3`,
      [...proofs.idOf(due)],
    ),
  )
  if (delivered === undefined) return
  const { service, delivery_id: deliveryId, service_id: serviceId, asked_at: askedAt } = delivered
  // A service that fails has sent nothing: after an hour the order needs a look all the same.
  const proof = await services.all
    .find(({ name }) => name === service)
    ?.proof({ deliveryId, serviceId, askedAt })
    .catch((error: unknown): CourierProof => {
      onError(error)
      return {}
    })
  await db.write(due.merchant_id, (statements) => takeProof(statements, due, { service, proof: proof ?? {} }))
  onChange()
}
