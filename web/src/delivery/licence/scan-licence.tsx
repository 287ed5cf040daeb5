import type { AgeCheckMethod } from '@cellarhand/contract/door-checks'
import type { IdReading } from '@cellarhand/contract/age-check-fields'
import { TextInput } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { useMedia } from '#lib/parts/use-media.ts'
import { shopToday } from '#lib/time/shop-day.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Camera } from '#ui/camera/camera.tsx'
import { controls, pauseMs } from './listen-for-licence.ts'
import { problemWords } from './problem-words.ts'
import { readLicence, typedDay, verdictOf } from './read-licence.ts'
import styles from './scan-licence.module.css'

export interface ReadId {
  /** Null when the dates were typed: the kind is then chosen. */
  method: AgeCheckMethod | null
  reading: IdReading
}

interface Props {
  onRead: (id: ReadId) => void
  onClose: () => void
  /** No person may read the dates instead. */
  mustScan: boolean
}

/** Reads the dates of an ID: by the camera, by a hand scanner that types, or typed by a person. */
export function ScanLicence({ onRead, onClose, mustScan }: Props) {
  const isPhone = useMedia('(pointer: coarse)')
  const [isFilming, setFilming] = useState(isPhone)
  const [isTyping, setTyping] = useState(false)
  const [problem, setProblem] = useState('')
  const box = useRef<HTMLDivElement>(null)
  // On a phone the dialog's buttons leave little room, and the focus alone brings only the field into it.
  useEffect(() => {
    // Its result is no clean-up: newer browsers return a promise.
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [isFilming, isTyping])
  const read = (text: string): boolean => {
    const today = shopToday()
    const licence = readLicence(text, today)
    if (typeof licence === 'string') {
      setProblem(problemWords(licence, mustScan))
      return false
    }
    onRead({ method: licence.kind, reading: { how: 'scanned', ...verdictOf(licence, today) } })
    return true
  }
  return (
    <div ref={box} className={styles.scan} role="group" aria-label="Scan the ID">
      {isFilming ? (
        <Camera
          load={async () => (await import('./decode-pdf417.ts')).decodePdf417}
          hint="Hold the barcode on the back of the ID in the picture."
          onText={read}
          onFailure={(failure) => {
            setProblem(failure)
            setFilming(false)
          }}
        />
      ) : (
        !isTyping && <ScannerField onText={read} />
      )}
      {isTyping && <TypedDates onRead={onRead} />}
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      <div className={styles.ways}>
        {!isFilming && (
          <Button
            look="plain"
            onClick={() => {
              setProblem('')
              setTyping(false)
              setFilming(true)
            }}
          >
            Use the camera
          </Button>
        )}
        {isFilming && (
          <Button look="plain" onClick={() => setFilming(false)}>
            Use a hand scanner
          </Button>
        )}
        {!isTyping && !mustScan && (
          <Button
            look="plain"
            onClick={() => {
              setProblem('')
              setFilming(false)
              setTyping(true)
            }}
          >
            Type the dates
          </Button>
        )}
        <Button look="plain" onClick={onClose}>
          Do not scan
        </Button>
      </div>
    </div>
  )
}

/** What a hand scanner types stays in this field, which nobody can read, and is gone once it was read. */
function ScannerField({ onText }: { onText: (text: string) => boolean }) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    field.current?.focus()
    return () => clearTimeout(timer.current)
  }, [])
  const readSoon = (): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const { current: typed } = field
      if (typed && typed.value.trim() !== '' && onText(typed.value)) typed.value = ''
    }, pauseMs)
  }
  const addControl = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const sign =
      event.ctrlKey && !event.altKey && !event.metaKey ? controls[event.key.toLowerCase()] : undefined
    if (sign === undefined) return
    event.preventDefault()
    event.currentTarget.value += sign
    readSoon()
  }
  return (
    <div>
      <label htmlFor={id} className={styles.label}>
        Hand scanner
      </label>
      <textarea
        ref={field}
        id={id}
        data-scanner
        className={styles.field}
        rows={1}
        maxLength={10_000}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onKeyDown={addControl}
        onInput={readSoon}
      />
      <small>Scan the barcode on the back of the ID. Nothing of it is kept but the result.</small>
    </div>
  )
}

function TypedDates({ onRead }: Pick<Props, 'onRead'>) {
  const [fields, setFields] = useState({ born: '', expires: '' })
  const [isAsked, setAsked] = useState(false)
  const [born, expires] = [typedDay(fields.born), typedDay(fields.expires)]
  const today = shopToday()
  const isBorn = born !== undefined && born < today && born > `${Number(today.slice(0, 4)) - 120}`
  const check = (): void => {
    if (!isBorn || expires === undefined) return setAsked(true)
    onRead({ method: null, reading: { how: 'typed', ...verdictOf({ born, expires }, today) } })
  }
  const why = 'Please write the date as MM/DD/YYYY'
  return (
    <div className={styles.dates}>
      <TextInput
        label="Date of birth"
        placeholder="MM/DD/YYYY"
        inputMode="numeric"
        maxLength={10}
        autoComplete="off"
        autoFocus
        value={fields.born}
        onChange={(event) => setFields({ ...fields, born: event.currentTarget.value })}
        error={isAsked && !isBorn && why}
      />
      <TextInput
        label="Expires"
        placeholder="MM/DD/YYYY"
        inputMode="numeric"
        maxLength={10}
        autoComplete="off"
        value={fields.expires}
        onChange={(event) => setFields({ ...fields, expires: event.currentTarget.value })}
        error={isAsked && expires === undefined && why}
      />
      <Button look="plain" onClick={check}>
        Check the dates
      </Button>
    </div>
  )
}
