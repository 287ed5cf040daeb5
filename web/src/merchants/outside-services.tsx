import { serviceLabels } from '@cellarhand/contract/outside-services'
import type { ServiceUse } from '@cellarhand/contract/merchants'
import type { Icon } from '@tabler/icons-react'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import { useQuery } from '@tanstack/react-query'
import { noMerchant, storedMerchantKey } from '#lib/kept/stored-session.ts'
import { Block } from '#ui/blocks/block.tsx'
import { Moment } from '#ui/blocks/moment.tsx'
import { FailedNote } from '#ui/notes/notes.tsx'
import { Pill, type Hue } from '#ui/blocks/pill.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import styles from './outside-services.module.css'
import { outsideServicesQuery, type OutsideService, type UndeliveredMail } from './company-queries.ts'
import { useTimezone } from './queries.ts'

/** How the shop works without a provider. */
const without: Readonly<Partial<Record<ServiceUse, string>>> = {
  labels: 'No labels can be bought.',
  couriers: 'Local orders are delivered by the store itself.',
  texts: 'No directions can be sent to phones.',
  maps: 'A drawn card with the address is shown.',
  payments: 'Payments cannot be set up here.',
  mail: 'Mails wait until a mail server is set up.',
  news: 'News come from whoever runs the server.',
  files: 'Files are kept on the server’s own disk.',
  events: 'What people press is reported to nobody.',
  errors: 'Failures stand in the server’s log.',
}

/** Anybody may run these; their address is a secret of the settings. */
const nameless = new Set<ServiceUse>(['mail', 'files'])

interface Props {
  uses: readonly ServiceUse[]
  /** Includes the mails that did not arrive. */
  hasMails?: boolean
}

/** For owners: whether each service answers, its last failure, and the reason. */
export function OutsideServices({ uses, hasMails = false }: Props) {
  const { data, isError, refetch } = useQuery(outsideServicesQuery(storedMerchantKey() ?? noMerchant))
  return (
    <Block title="Outside services">
      {data === undefined ? (
        <div className={styles.pending}>
          {isError ? (
            <FailedNote
              text="The state of the outside services could not be loaded."
              onRetry={() => void refetch()}
            />
          ) : (
            <Spinner label="Loading the state of the outside services" />
          )}
        </div>
      ) : (
        <>
          <ul className={styles.services}>
            {data.services
              .filter(({ use }) => uses.includes(use))
              .map((service) => (
                <Service key={`${service.use} ${service.provider ?? ''}`} service={service} />
              ))}
          </ul>
          {hasMails && <UndeliveredMails mails={data.undelivered_mails} />}
        </>
      )}
    </Block>
  )
}

interface State {
  readonly hue: Hue
  readonly icon: Icon
  readonly word: string
}

function stateOf({ provider, is_sandbox, failures_in_a_row, last_success_at }: OutsideService): State {
  if (is_sandbox) return { hue: 'blue', icon: IconCircleDashed, word: 'Sandbox' }
  if (provider === null) return { hue: 'sage', icon: IconCircleDashed, word: 'Not set up' }
  if (failures_in_a_row > 0) return { hue: 'red', icon: IconAlertTriangle, word: 'Failing' }
  if (last_success_at === null) return { hue: 'sage', icon: IconCircleDashed, word: 'Not asked yet' }
  return { hue: 'green', icon: IconCircleCheck, word: 'Answers' }
}

function Service({ service }: { service: OutsideService }) {
  const { use, provider, is_sandbox, last_success_at, last_failure_at } = service
  const { hue, icon, word } = stateOf(service)
  return (
    <li>
      <p className={styles.name}>
        <span>
          <b>{serviceLabels[use]}</b>
          {provider !== null && !nameless.has(use) && ` · ${provider}`}
        </span>
        <Pill hue={hue} icon={icon}>
          {word}
        </Pill>
      </p>
      {is_sandbox && <p className={styles.soft}>The demo’s stand-in; nothing leaves this server.</p>}
      {provider === null && !is_sandbox && <p className={styles.soft}>{without[use]}</p>}
      {provider !== null && (last_success_at !== null || last_failure_at !== null) && (
        <Times service={service} />
      )}
    </li>
  )
}

function Times({ service }: { service: OutsideService }) {
  const { last_success_at, last_failure_at, last_failure_reason, failures_in_a_row } = service
  const timezone = useTimezone()
  return (
    <p className={styles.soft}>
      Last answer:{' '}
      {last_success_at === null ? 'none yet' : <Moment at={last_success_at} timezone={timezone} />}
      {last_failure_at !== null && (
        <>
          <br />
          Last failure: <Moment at={last_failure_at} timezone={timezone} />
          {`, ${last_failure_reason ?? 'unknown'}`}
          {failures_in_a_row > 1 && `, ${failures_in_a_row} times in a row`}
        </>
      )}
    </p>
  )
}

function UndeliveredMails({ mails }: { mails: readonly UndeliveredMail[] }) {
  const timezone = useTimezone()
  if (mails.length === 0) return null
  return (
    <div className={styles.mails}>
      <h3>Mails that could not be delivered</h3>
      <ul>
        {mails.map(({ recipient, subject, reason, at }) => (
          <li key={`${recipient} ${at}`}>
            <b>{recipient}</b>
            <span>{subject}</span>
            <span className={styles.reason}>{reason}</span>
            <span className={styles.soft}>
              <Moment at={at} timezone={timezone} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
