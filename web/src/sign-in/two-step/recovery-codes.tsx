import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs'
import { useState } from 'react'
import { config } from '#lib/calls/config.ts'
import { Button } from '#ui/blocks/button.tsx'
import { DialogButtons } from '#ui/dialogs/dialog.tsx'
import styles from './two-step.module.css'

interface Props {
  codes: readonly string[]
  onKept: () => void
}

/** Shown only once, because the server stores only digests. */
export function RecoveryCodes({ codes, onKept }: Props) {
  const [said, setSaid] = useState('')
  const copy = (): void => {
    const done = navigator.clipboard?.writeText(codes.join('\n')) ?? Promise.reject(new Error('no clipboard'))
    done.then(
      () => setSaid('Copied.'),
      () => setSaid('Your browser does not let this page copy. Please download or print the codes.'),
    )
  }
  return (
    <div className={styles.step}>
      <p>
        <b>Keep these recovery codes.</b> Each signs you in once in place of a code of your app, for the day
        when your phone is lost. They are not shown again.
      </p>
      <ol className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={styles.actions}>
        <Button look="plain" onClick={copy}>
          <IconCopy size={16} aria-hidden />
          Copy
        </Button>
        <Button look="plain" onClick={() => download(codes)}>
          <IconDownload size={16} aria-hidden />
          Download
        </Button>
        <Button look="plain" onClick={() => print()}>
          <IconPrinter size={16} aria-hidden />
          Print
        </Button>
      </div>
      <p className={styles.soft} role="status">
        {said}
      </p>
      <div className={styles.end}>
        <DialogButtons>
          <Button onClick={onKept}>I have kept them</Button>
        </DialogButtons>
      </div>
    </div>
  )
}

function download(codes: readonly string[]): void {
  const text = [
    `${config.productName} recovery codes (${location.host}). Each is good once.`,
    '',
    ...codes,
    '',
  ]
  const address = URL.createObjectURL(new Blob([text.join('\r\n')], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), {
    href: address,
    download: `${config.productName.toLowerCase().replaceAll(/\W+/g, '-')}-recovery-codes.txt`,
  })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
