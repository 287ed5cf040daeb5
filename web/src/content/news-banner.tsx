import IconSpeakerphone from '@tabler/icons-react/dist/esm/icons/IconSpeakerphone.mjs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { kept } from '#lib/kept/browser-storage.ts'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { Banner } from '#ui/notes/banner.tsx'
import { Button } from '#ui/blocks/button.tsx'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import { readableOn } from '#ui/theme/readable-on.ts'
import { bannerQuery } from './queries.ts'

const NewsDialog = lazyPart(() => import('./news-dialog.tsx'), 'NewsDialog')

const READ = 'cellarhand-news-read'

/** The content service's news as plain text, never as markup. */
export function NewsBanner() {
  const { data: document } = useQuery(bannerQuery)
  const [isOpen, setOpen] = useState(false)
  const [read, setRead] = useState(() => kept.get(READ))
  if (!document || document.data.notification_text === read) return null
  const { notification_text, message, modal_title, notification_color } = document.data
  const title = modal_title ?? notification_text
  const close = (): void => setOpen(false)
  const dismiss = (): void => {
    kept.set(READ, notification_text)
    setRead(notification_text)
  }
  return (
    <>
      <Banner label="News" icon={IconSpeakerphone} paint={readableOn(notification_color)}>
        <span>{notification_text}</span>
        {message && (
          <Button look="plain" size="small" onClick={() => setOpen(true)}>
            Read more
          </Button>
        )}
        <Button look="plain" size="small" aria-label="Dismiss the news" onClick={dismiss}>
          Dismiss
        </Button>
      </Banner>
      {isOpen && (
        <DialogPart title={title} onClose={close}>
          <NewsDialog title={title} text={message ?? ''} onClose={close} />
        </DialogPart>
      )}
    </>
  )
}
