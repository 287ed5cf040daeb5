import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { saveFile } from '#lib/output/save-file.ts'
import { CARDS, useMedia } from '#lib/parts/use-media.ts'
import { track } from '#lib/reports/analytics.ts'
import { formatTime, zoneName } from '#lib/time/dates.ts'
import { shopToday } from '#lib/time/shop-day.ts'
import { useTimezone } from '#merchants/public.ts'
import { ShiftNotes } from '#notes/public.ts'
import { merchantKey, useCan } from '#sign-in/public.ts'
import { Button } from '#ui/blocks/button.tsx'
import { Spinner } from '#ui/blocks/spinner.tsx'
import { KeptNote, NoLineNote, useIsAway } from '#ui/notes/no-line.tsx'
import { EmptyNote, FailedNote } from '#ui/notes/notes.tsx'
import { tellFailure } from '#ui/notes/toasts.tsx'
import { told } from '#ui/notes/told.ts'
import { ClerksCard } from './clerks-card.tsx'
import { dayCsv } from './day-csv.ts'
import { dayBeside, dayTitle, duration, durationOr } from './day-words.ts'
import { ChartKey, HourChart } from './hour-chart.tsx'
import { HourTable } from './hour-table.tsx'
import type { DayFigures } from './queries.ts'
import { clerksQuery, dayQuery } from './queries.ts'
import { CameBackCard, LateCard, ReasonsCard } from './side-cards.tsx'
import styles from './today-page.module.css'

const route = getRouteApi('/signed-in/today')

/** The desk has orders of no earlier day. A year that is half typed is earlier. */
const earliest = '2000-01-01'

const isDay = (text: string) => !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

export function TodayPage() {
  const asked = route.useSearch().day
  const day = asked !== undefined && isDay(asked) ? asked : undefined
  const navigate = route.useNavigate()
  const timezone = useTimezone()
  const { data: figures, isError, refetch, dataUpdatedAt } = useQuery(dayQuery(merchantKey(), day))
  const isAway = useIsAway()
  const today = day === undefined ? (figures?.day ?? shopToday()) : shopToday()
  const shown = day ?? today
  const show = (chosen: string): void => {
    void navigate({ search: { day: chosen >= today ? undefined : chosen } })
  }
  return (
    <main className={styles.page}>
      <div className={styles.head}>
        <h1>{shown === today ? 'Today' : dayTitle(shown)}</h1>
        <p className={styles.quiet} role="status">
          {figures && momentOf(figures, shown === today)}
        </p>
        <Link className={styles.shift} to="/hand-over">
          Shift hand-over
        </Link>
        <DayPicker day={shown} today={today} onShow={show} />
        <DownloadButton figures={figures} day={day} />
      </div>
      {figures && (
        <KeptNote what="You see the figures" at={dataUpdatedAt} timezone={timezone}>
          Newer ones come by themselves once the connection is back.
        </KeptNote>
      )}
      {!figures && isAway && (
        <NoLineNote text="The figures come by themselves once the connection is back." onRetry={refetch} />
      )}
      {!figures && !isAway && isError && (
        <FailedNote text="The figures could not be loaded." onRetry={() => void refetch()} />
      )}
      {!figures && !isAway && !isError && (
        <div className={styles.pending}>
          <Spinner label="Loading the figures" />
        </div>
      )}
      {shown === today && (
        <Suspense>
          <ShiftNotes timezone={timezone} />
        </Suspense>
      )}
      {figures && <Figures figures={figures} day={day} isToday={shown === today} />}
    </main>
  )
}

const action = 'download day'
const noClerks = 'The figures by clerk could not be loaded, so no file was made. Please try again.'

interface DownloadProps {
  figures: DayFigures | undefined
  day: string | undefined
}

/** The card of the clerks may not have loaded yet, and a file without them would look whole. */
function DownloadButton({ figures, day }: DownloadProps) {
  const can = useCan()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const download = async (shown: DayFigures): Promise<void> => {
    track('Download Day')
    setBusy(true)
    const clerks = can('clerks.compare')
      ? await told(action, () => queryClient.ensureQueryData(clerksQuery(merchantKey(), day))).then(
          (compared) => compared.clerks,
          () => null,
        )
      : []
    setBusy(false)
    if (clerks === null) tellFailure(action, noClerks)
    else saveFile(`orders-${shown.day}.csv`, 'text/csv', dayCsv(shown, clerks))
  }
  return (
    <Button
      look="plain"
      isBusy={isBusy}
      disabled={!figures || figures.orders === 0}
      onClick={() => figures && void download(figures)}
    >
      <IconDownload size={16} aria-hidden />
      Download CSV
    </Button>
  )
}

function momentOf({ day, as_of: asOf, timezone }: DayFigures, isToday: boolean): React.ReactNode {
  if (!isToday) return 'The orders received on that day, as they are now'
  return (
    <>
      {dayTitle(day)} · until{' '}
      <time dateTime={asOf} title={zoneName(asOf, timezone)}>
        {formatTime(asOf, timezone)}
      </time>
      , store time
    </>
  )
}

interface PickerProps {
  day: string
  today: string
  onShow: (day: string) => void
}

function DayPicker({ day, today, onShow }: PickerProps) {
  /** The field's text while a date is being typed. */
  const [typed, setTyped] = useState<string>()
  return (
    <div className={styles.picker}>
      <Button look="plain" aria-label="Day before" onClick={() => onShow(dayBeside(day, -1))}>
        <IconChevronLeft size={16} aria-hidden />
      </Button>
      <input
        type="date"
        aria-label="Day"
        value={typed ?? day}
        min={earliest}
        max={today}
        required
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          if (value >= earliest && value <= today) onShow(value)
        }}
        onBlur={() => setTyped(undefined)}
      />
      <Button
        look="plain"
        aria-label="Day after"
        disabled={day >= today}
        onClick={() => onShow(dayBeside(day, 1))}
      >
        <IconChevronRight size={16} aria-hidden />
      </Button>
    </div>
  )
}

interface FiguresProps {
  figures: DayFigures
  day: string | undefined
  isToday: boolean
}

function Figures({ figures, day, isToday }: FiguresProps) {
  const isNarrow = useMedia(CARDS)
  const can = useCan()
  if (figures.orders === 0)
    return (
      <>
        <EmptyNote text={isToday ? 'No order has come in today.' : 'No order came in on that day.'} />
        <CameBackCard figures={figures} />
      </>
    )
  return (
    <>
      <FigureList figures={figures} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <section className={styles.card} aria-labelledby="chart-title">
            <h2 id="chart-title">Orders by hour</h2>
            <div className={styles.chart}>
              <HourChart figures={figures} />
              <ChartKey />
            </div>
          </section>
          <section className={styles.card} aria-labelledby="table-title">
            <h2 id="table-title">Hour by hour</h2>
            <HourTable {...{ figures, isNarrow }} isGoingOn={isToday} />
          </section>
        </div>
        <div className={styles.column}>
          <LateCard key={figures.day} figures={figures} />
          <CameBackCard figures={figures} />
          <ReasonsCard figures={figures} />
        </div>
      </div>
      {can('clerks.compare') && <ClerksCard day={day} isNarrow={isNarrow} />}
    </>
  )
}

function FigureList({ figures }: { figures: DayFigures }) {
  const { orders, open, on_hold: onHold, accepted, waiting, rejected, cancelled, late } = figures
  const { late_open: lateOpen, to_accept: toAccept, to_hand_over: toHandOver } = figures
  const within = ({ p95 }: DayFigures['to_accept']) => p95 !== null && `95 of 100 within ${duration(p95)}`
  return (
    <dl className={styles.figures}>
      <Figure name="Orders" value={orders} note={`${open} open, ${onHold} on hold`} />
      <Figure name="Accepted" value={accepted} note={`${waiting} still to decide`} />
      <Figure
        name="Rejected"
        value={rejected}
        note={`${Math.round((rejected / orders) * 100)} %${cancelled > 0 ? `, ${cancelled} more cancelled` : ''}`}
      />
      <Figure name="To accept" value={durationOr(toAccept.median, '–')} note={within(toAccept)} />
      <Figure name="To hand over" value={durationOr(toHandOver.median, '–')} note={within(toHandOver)} />
      <Figure
        name="Late"
        value={late}
        note={late > 0 && `${lateOpen} open, ${late - lateOpen} done late`}
        isBad={late > 0}
      />
    </dl>
  )
}

interface FigureProps {
  name: string
  value: number | string
  note: string | false
  isBad?: boolean
}

function Figure({ name, value, note, isBad }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-late={isBad || undefined}>
        {value}
        <small>{note || '\u00a0'}</small>
      </dd>
    </div>
  )
}
