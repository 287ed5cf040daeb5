import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { formatDay } from '#lib/time/dates.ts'
import { merchantKey } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import styles from './courier-checks.module.css'
import { courierChecksQuery, type CourierCheck } from './queries.ts'

const RelyDialog = lazyPart(() => import('./rely-dialog.tsx'), 'RelyDialog')

/** Courier services that do not tell the result of their ID checks, and the owner's word on each. */
export function CourierChecks() {
  const checks = useQuery(courierChecksQuery(merchantKey()))
  const [deciding, setDeciding] = useState<CourierCheck>()
  if (!checks.data || checks.data.services.length === 0) return null
  return (
    <section className={styles.checks} aria-labelledby="courier-checks">
      <h2 id="courier-checks">ID checks of couriers</h2>
      <ul>
        {checks.data.services.map((each) => (
          <li key={each.service}>
            <p>{wordsOf(each)}</p>
            {each.reliance && (
              <small>
                Confirmed by {each.reliance.by}, {formatDay(each.reliance.on)}: {each.reliance.agreement}
              </small>
            )}
            <Button look="plain" size="small" onClick={() => setDeciding(each)}>
              {each.reliance ? 'Stop relying on' : 'Rely on'} {each.service}
            </Button>
          </li>
        ))}
      </ul>
      <DialogPart title={deciding ? titleOf(deciding) : ''} onClose={() => setDeciding(undefined)}>
        {deciding && (
          <RelyDialog check={deciding} title={titleOf(deciding)} onClose={() => setDeciding(undefined)} />
        )}
      </DialogPart>
    </section>
  )
}

function titleOf({ reliance }: CourierCheck): string {
  return reliance ? 'Stop relying on the check' : 'Rely on the check'
}

function wordsOf({ service, reliance }: CourierCheck): string {
  const silent = `${service} may not tell the result of its ID check.`
  return reliance
    ? `${silent} The shop relies on its agreement: such orders say so, and claim no check.`
    : `${silent} Where a rule asks for one, each such delivery needs a look after an hour.`
}
