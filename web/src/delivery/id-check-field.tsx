import { isCheckedAs } from '@cellarhand/contract/age-check'
import type { AgeCheckMethod } from '@cellarhand/contract/door-checks'
import { ageCheckMethodLabels } from '@cellarhand/contract/door-checks'
import type { IdReading } from '@cellarhand/contract/age-check-fields'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconBarcode from '@tabler/icons-react/dist/esm/icons/IconBarcode.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { Notice } from '#ui/notes/notice.tsx'
import { AgeCheckField } from './age-check-field.tsx'
import styles from './deliver-dialog.module.css'

const ScanLicence = lazyPart(() => import('./licence/scan-licence.tsx'), 'ScanLicence')

/** The facts of the recipient's ID so far. */
export interface IdCheck {
  method: AgeCheckMethod | null
  reading: IdReading | null
}

export const noIdCheck: IdCheck = { method: null, reading: null }

/** The ID says that the bottles may not be handed over. */
export function isRefusing({ reading }: IdCheck): boolean {
  return reading !== null && (!reading.is_over_21 || reading.is_expired)
}

export function titleOf({ needsCheck, needsScan }: Pick<Wanted, 'needsCheck' | 'needsScan'>): string {
  if (needsScan) return 'Age checked, ID scanned'
  return needsCheck ? 'Age checked, ID seen' : 'Age checked, ID seen (optional)'
}

export const asks = {
  kind: 'Choose the kind of ID that was seen.',
  check: 'A rule asks for an ID check at the door. Choose the ID that was seen, or NOT HANDED OVER.',
  scan: 'A rule asks for a scan of the ID. Press Scan the ID, or NOT HANDED OVER.',
}

interface Wanted {
  needsCheck: boolean
  needsScan: boolean
  /** The check that the order has on record. */
  recorded: Parameters<typeof isCheckedAs>[1]
}

/** What of the ID check is still to be done before the order is handed over. */
export function lackingOf(
  { method, reading }: IdCheck,
  { needsCheck, needsScan, recorded }: Wanted,
): keyof typeof asks | undefined {
  const isOnRecord =
    method === null && reading === null && isCheckedAs({ is_electronic: needsScan }, recorded)
  if (needsScan && reading?.how !== 'scanned' && !isOnRecord) return 'scan'
  if (method || (reading === null && (!needsCheck || isOnRecord))) return undefined
  // Typed dates alone do not say which kind of ID was seen.
  return reading === null ? 'check' : 'kind'
}

interface Props {
  title: string
  value: IdCheck
  onChange: (check: IdCheck) => void
  problem?: string | undefined
  /** A rule takes no dates that a person typed. */
  mustScan: boolean
}

/** The ID that was seen: scanned, or chosen by hand. A result that refuses takes the place of the choices. */
export function IdCheckField({ title, value, onChange, problem, mustScan }: Props) {
  const [isScanning, setScanning] = useState(false)
  const result = useRef<HTMLDivElement>(null)
  const isNo = isRefusing(value)
  return (
    <div className={styles.idCheck}>
      {!isNo && (
        <AgeCheckField
          title={title}
          value={value.method}
          onChange={(method) =>
            // A scan belongs to the scanned card alone.
            onChange({ method, reading: value.reading?.how === 'typed' ? value.reading : null })
          }
          problem={problem}
        />
      )}
      <div ref={result} tabIndex={-1} className={styles.result} role="status">
        {value.reading && (
          <Notice icon={isNo ? IconAlertTriangle : IconCheck} hue={isNo ? 'red' : 'plain'}>
            {resultOf(value)}
          </Notice>
        )}
      </div>
      {isScanning ? (
        <Suspense fallback={<Spinner label="Loading" />}>
          <ScanLicence
            mustScan={mustScan}
            onClose={() => setScanning(false)}
            onRead={({ method, reading }) => {
              // A hand scanner's last Enter must press no button.
              flushSync(() => {
                setScanning(false)
                onChange({ method: method ?? value.method, reading })
              })
              result.current?.focus()
            }}
          />
        </Suspense>
      ) : (
        <span data-scan>
          <Button
            look="plain"
            onClick={() => {
              if (isNo) onChange(noIdCheck)
              setScanning(true)
            }}
          >
            <IconBarcode size={18} aria-hidden /> {isNo ? 'Check another ID' : 'Scan the ID'}
          </Button>
        </span>
      )}
    </div>
  )
}

function resultOf({ method, reading }: IdCheck): string {
  if (!reading) return ''
  const kind = method === null ? 'ID' : ageCheckMethodLabels[method]
  if (!reading.is_over_21) return 'Under 21. Do not hand the order over. Press NOT HANDED OVER.'
  if (reading.is_expired) return `${kind}: expired. Do not hand the order over. Press NOT HANDED OVER.`
  return `${kind}: 21 or over, not expired.${method === null ? ' Choose the kind of ID above.' : ''}`
}
