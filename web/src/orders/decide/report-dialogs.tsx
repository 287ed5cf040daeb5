import type { ReportKind } from '@cellarhand/contract/rejection-message'
import type { OutOfStockReason } from '@cellarhand/contract/decisions'
import { outOfStockLabels, outOfStockReasons } from '@cellarhand/contract/decisions'
import { formatDollars } from '@cellarhand/contract/money'
import { missingByKey, orderedByKey } from '@cellarhand/contract/missing-pieces'
import { rejectionKey } from '@cellarhand/contract/order-guards'
import { commentProblem, maxCommentLength, priceProblem, readPrice } from '@cellarhand/contract/validation'
import { Radio, TextInput } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { FormButtons, FormDialog } from '#ui/dialogs/form-dialog.tsx'
import styles from './dialogs.module.css'
import { MovedOnNotice } from './moved-on-notice.tsx'
import { PieceStepper } from './piece-stepper.tsx'
import type { PendingReport } from './pending-reports.ts'
import { keepReport, startReport } from './pending-reports.ts'
import type { Order } from '../state/queries.ts'
import { reportedKeys } from '../order/reported.ts'
import { newerOf } from './use-order-command.ts'
import { useReport } from './use-report.ts'

interface Props {
  order: Order
  item: Order['items'][number]
  onClose: () => void
  /** Opens the dialog that offers another bottle; without it the report offers none. */
  onSubstitute?: (() => void) | undefined
  /** The clerk stays on the page, and is not led to the order. */
  stays?: boolean | undefined
}

export function ReportDialog({ kind, ...props }: Props & { kind: ReportKind }) {
  return kind === 'outOfStock' ? <OutOfStockDialog {...props} /> : <WrongPriceDialog {...props} />
}

function OutOfStockDialog({ order, item, onClose, onSubstitute, stays }: Props) {
  const [offersNext, setOffersNext] = useState(false)
  const form = useReportForm('outOfStock', {
    order,
    item,
    onClose,
    stays,
    onNext: offersNext ? onSubstitute : undefined,
  })
  const { report, change } = form
  const isSoon = report.choice === 'available_soon'
  const { ordered, left } = piecesOf(form.order, report.line)
  const there = Math.min(report.there, left - 1)
  const problem = form.problem ?? form.refused
  const submit = (event: FormEvent): void =>
    form.submit(event, isSoon ? commentProblem(report.text) : undefined, {
      reason: isSoon ? report.text.trim() : outOfStockLabels.not_available,
      ...(there > 0 && { quantity: left - there }),
    })
  return (
    <ReportFrame title="Out of Stock" form={form} item={item} onSubmit={submit} onClose={onClose}>
      {left > 1 && (
        <PieceStepper
          label="How many are there?"
          after={
            left === ordered ? `of ${ordered}` : `of ${left}; ${ordered - left} of ${ordered} are reported`
          }
          value={there}
          max={left - 1}
          onChange={(next) => change({ there: next })}
        />
      )}
      <Radio.Group
        label={there > 0 ? `Can the other ${left - there} still be had?` : 'Can it still be had?'}
        value={report.choice}
        onChange={(choice) => change({ choice: choice as OutOfStockReason })}
      >
        <div className={styles.reasons}>
          {outOfStockReasons.map((each) => (
            <Radio
              key={each}
              value={each}
              label={outOfStockLabels[each]}
              data-autofocus={each === report.choice || undefined}
            />
          ))}
        </div>
      </Radio.Group>
      {isSoon && (
        <TextInput
          id={form.fieldId}
          label="When"
          description="The customer is told so."
          maxLength={maxCommentLength}
          autoComplete="off"
          value={report.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          error={problem}
        />
      )}
      {onSubstitute && (
        <label className={styles.then}>
          <input
            type="checkbox"
            checked={offersNext}
            onChange={({ currentTarget }) => setOffersNext(currentTarget.checked)}
          />
          Then offer the customer another bottle
        </label>
      )}
      {!isSoon && problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </ReportFrame>
  )
}

/** The ordered pieces of a line, and those that nobody has reported as missing. */
function piecesOf(order: Order, key: string): { ordered: number; left: number } {
  const ordered = orderedByKey(order).get(key) ?? 0
  return { ordered, left: ordered - (missingByKey(order).get(key) ?? 0) }
}

function WrongPriceDialog({ order, item, onClose }: Props) {
  const form = useReportForm('wrongPrice', { order, item, onClose })
  const { report, change } = form
  const price = readPrice(report.price)
  const submit = (event: FormEvent): void => form.submit(event, priceProblem(price), { price: price ?? 0 })
  return (
    <ReportFrame title="Wrong Price" form={form} item={item} onSubmit={submit} onClose={onClose}>
      <TextInput
        id={form.fieldId}
        label="Right price of one"
        description={`Ordered at ${formatDollars(item.price)}`}
        leftSection="$"
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        data-autofocus
        value={report.price}
        onChange={(event) => change({ price: event.currentTarget.value })}
        error={form.problem ?? form.refused}
      />
    </ReportFrame>
  )
}

/** Shared by both dialogs: the draft that survives closing, the check before sending, the notice of a faster clerk. */
interface FormProps extends Omit<Props, 'onSubstitute'> {
  /** What comes after the report, in place of the order's page. */
  onNext?: (() => void) | undefined
}

function useReportForm(kind: ReportKind, { order: given, item, onClose, onNext, stays }: FormProps) {
  const [overtakenBy, setOvertakenBy] = useState(given)
  const order = newerOf(given, overtakenBy)
  const [report, setReport] = useState<PendingReport>(() => startReport(given, kind, item))
  const [problem, setProblem] = useState<string>()
  const fieldId = useId()
  const update = useReport({ order, report, stays, onClose, onNext, onOvertaken: setOvertakenBy })
  const isReported = reportedKeys(order, kind).has(rejectionKey(item))
  return {
    order,
    report,
    fieldId,
    problem,
    refused: update.problem,
    isPending: update.isPending,
    isReported,
    change(part: Partial<PendingReport>): void {
      const next = { ...report, ...part }
      setReport(next)
      keepReport(order, next)
      setProblem(undefined)
      update.forgetProblem()
    },
    submit(event: FormEvent, found: string | undefined, entry: Parameters<typeof update.send>[0]): void {
      event.preventDefault()
      if (update.isPending) return
      flushSync(() => setProblem(found))
      if (found === undefined) update.send(entry)
      else document.getElementById(fieldId)?.focus()
    },
  }
}

interface FrameProps {
  title: string
  form: ReturnType<typeof useReportForm>
  item: Order['items'][number]
  onSubmit: (event: FormEvent) => void
  onClose: () => void
  children: ReactNode
}

function ReportFrame({ title, form, item, onSubmit, onClose, children }: FrameProps) {
  return (
    <FormDialog title={title} onClose={onClose}>
      <form onSubmit={onSubmit} noValidate className={styles.form}>
        <MovedOnNotice
          order={form.order}
          action="report_items"
          still="Press UPDATE ORDER again if it should be reported all the same."
        />
        {form.isReported && !form.isPending && (
          <p role="status" className={styles.problem}>
            Somebody reported this line already.
          </p>
        )}
        <p>
          <b>{item.quantity} ×</b> <bdi>{item.name}</bdi> {item.product?.container_size}
        </p>
        {children}
        <FormButtons onClose={onClose} isBusy={form.isPending}>
          UPDATE ORDER
        </FormButtons>
      </form>
    </FormDialog>
  )
}
