import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconHandStop from '@tabler/icons-react/dist/esm/icons/IconHandStop.mjs'
import IconHourglass from '@tabler/icons-react/dist/esm/icons/IconHourglass.mjs'
import IconScan from '@tabler/icons-react/dist/esm/icons/IconScan.mjs'
import type { ReactNode } from 'react'
import type { PickAnswer } from './queries.ts'
import type { Stop } from './walk.ts'
import { wordsApart } from './walk.ts'
import styles from './pick-page.module.css'

/** The outcome of the last bottle. */
export type Outcome =
  | { kind: 'answered'; answer: PickAnswer; stop: Stop; isByHand: boolean; neededAt: Stop | undefined }
  | { kind: 'failed'; words: string }
  | { kind: 'undecided'; stop: Stop }

/** Says it in words, by a frame and an icon: right is a single frame, a refusal a double one. It asks for no press. */
export function PickResult({ outcome, isWave }: { outcome: Outcome | null; isWave: boolean }) {
  if (outcome === null)
    return (
      <div className={styles.result} data-look="wait" role="status">
        <IconScan size={32} aria-hidden />
        <h2>Scan the bottle</h2>
        <p>One scan for each bottle.</p>
      </div>
    )
  if (outcome.kind === 'failed')
    return (
      <Refused title="Not counted">
        <p>{outcome.words}</p>
      </Refused>
    )
  if (outcome.kind === 'undecided')
    return (
      <div className={styles.result} data-look="wait" role="alert">
        <IconHourglass size={32} aria-hidden />
        <h2>Not confirmed yet: trying again</h2>
        <p>
          The server has not said whether this bottle counts: {outcome.stop.line.name}. Keep it in your hand.
          Until the answer comes, no other scan counts.
        </p>
      </div>
    )
  if (outcome.answer.result === 'right') return <Right {...outcome} isWave={isWave} />
  return <WhyNot {...outcome} />
}

type Answered = Extract<Outcome, { kind: 'answered' }>

function Right({ answer, stop, isByHand, isWave }: Answered & { isWave: boolean }) {
  const line = answer.order.lines.find(({ id }) => id === stop.line.id) ?? stop.line
  const left = line.quantity - line.picked
  const tote = isWave ? ` Into tote ${stop.tote}.` : ''
  return (
    <div className={styles.result} data-look="right" role="status">
      <IconCircleCheck size={32} aria-hidden />
      <h2>
        {isByHand ? 'Confirmed by hand' : 'Right bottle'}, {line.picked} of {line.quantity}
      </h2>
      <p>
        <bdi>{line.name}</bdi>.{tote} {left > 0 && `${left} more to scan.`}
      </p>
    </div>
  )
}

function WhyNot({ answer: { result, scanned }, stop, neededAt }: Answered) {
  const needed = titleOf(stop.line.name, stop.line.container_size)
  if (result === 'wrong') {
    const found = scanned?.name ? titleOf(scanned.name, scanned.container_size) : undefined
    return (
      <Refused title="Wrong bottle, put it back">
        <p>
          Scanned:{' '}
          {found === undefined ? 'a bottle that the stock list does not know' : marked(found, needed)}
        </p>
        <p>Needed: {found === undefined ? needed : marked(needed, found, true)}</p>
        {neededAt && <p>It is needed later{neededAt.line.location && `, at ${neededAt.line.location}`}.</p>}
      </Refused>
    )
  }
  const [title, words] = {
    too_many: ['One too many, put it back', `All ${stop.line.quantity} of ${stop.line.name} are picked.`],
    no_code: [
      'No code to compare',
      'The stock list has no code for this bottle. Read its label, then press “No code to scan”.',
    ],
    unreadable: ['Not the code of a bottle', 'Scan the UPC or EAN on the bottle.'],
    stopped: ['Stop: this order has changed', `Take no bottle for #${stop.order.id} now.`],
    gone: ['This line is gone', `The marketplace has corrected #${stop.order.id}. Put the bottle back.`],
    right: ['', ''],
  }[result]
  return (
    <Refused title={title ?? ''}>
      <p>{words}</p>
    </Refused>
  )
}

function Refused({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.result} data-look="wrong" role="alert">
      <IconHandStop size={32} aria-hidden />
      <h2>{title}</h2>
      {children}
    </div>
  )
}

function titleOf(name: string, size: string | null): string {
  return size === null ? name : `${name}, ${size}`
}

/** The differing words: underlined in the scanned name, bold in the needed one. */
function marked(name: string, other: string, isNeeded = false): ReactNode {
  return wordsApart(name, other).map(({ text, isOther }, at) => {
    const Mark = isNeeded ? 'b' : 'mark'
    return (
      // The words of a name have no other key than their place.
      <span key={`${at} ${text}`}>
        {at > 0 && ' '}
        {isOther ? <Mark>{text}</Mark> : text}
      </span>
    )
  })
}
