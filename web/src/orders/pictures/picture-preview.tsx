import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconBottle from '@tabler/icons-react/dist/esm/icons/IconBottle.mjs'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconZoomIn from '@tabler/icons-react/dist/esm/icons/IconZoomIn.mjs'
import IconZoomOut from '@tabler/icons-react/dist/esm/icons/IconZoomOut.mjs'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#ui/blocks/button.tsx'
import { Dialog, DialogButtons } from '#ui/dialogs/dialog.tsx'
import { pictureOf } from './pictures.ts'
import styles from './picture-preview.module.css'
import type { Order } from '../state/queries.ts'

interface Props {
  items: Order['items']
  itemId: string
  onMove: (itemId: string) => void
  onClose: () => void
}

/** The bottle at 380x490, for a clerk with two vintages in hand (VIEW-006 to VIEW-009). */
export function PicturePreview({ items, itemId, onMove, onClose }: Props) {
  const [zoomed, setZoomed] = useState<string | null>(null)
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set())
  const pictured = items.filter((item) => item.image_spec !== null)
  const at = pictured.findIndex(({ id }) => id === itemId)
  const item = pictured[at]
  if (!item) return null
  const isZoomed = zoomed === item.id
  const move = (by: number): void => {
    const next = pictured[(at + by + pictured.length) % pictured.length]
    setZoomed(null)
    if (next) onMove(next.id)
  }
  /** Starts at the middle, where the label is; the clerk scrolls to the rest. */
  const zoom = ({ currentTarget: box }: MouseEvent): void => {
    flushSync(() => setZoomed(isZoomed ? null : item.id))
    box.scrollTo((box.scrollWidth - box.clientWidth) / 2, (box.scrollHeight - box.clientHeight) / 2)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowLeft') move(-1)
    if (event.key === 'ArrowRight') move(1)
  }
  return (
    <Dialog title={item.name} onClose={onClose} size={460}>
      <div className={styles.preview} onKeyDown={onKeyDown}>
        <button
          type="button"
          className={styles.picture}
          data-zoomed={isZoomed || undefined}
          aria-pressed={isZoomed}
          aria-label={isZoomed ? 'Zoom out' : 'Zoom in'}
          onClick={zoom}
        >
          {missing.has(item.id) ? (
            <span className={styles.missing}>
              <IconBottle size={48} stroke={1.5} aria-hidden /> No picture available
            </span>
          ) : (
            <img
              key={item.id}
              src={pictureOf(item, '380x490')}
              alt={item.name}
              width={380}
              height={490}
              onError={() => setMissing(new Set([...missing, item.id]))}
            />
          )}
          <span className={styles.lens}>
            {isZoomed ? <IconZoomOut size={18} aria-hidden /> : <IconZoomIn size={18} aria-hidden />}
          </span>
        </button>
        <p className={styles.place} role="status">
          {[item.product?.container_size, `${at + 1} of ${pictured.length}`].filter(Boolean).join(' · ')}
        </p>
        <DialogButtons>
          <Button look="plain" disabled={pictured.length < 2} onClick={() => move(-1)}>
            <IconChevronLeft size={18} aria-hidden /> Previous
          </Button>
          <Button look="plain" disabled={pictured.length < 2} onClick={() => move(1)}>
            Next <IconChevronRight size={18} aria-hidden />
          </Button>
          <Button data-autofocus onClick={onClose}>
            <IconArrowLeft size={18} aria-hidden /> Go Back
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  )
}
