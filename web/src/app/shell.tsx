import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { lazyPart } from '#lib/parts/lazy-part.ts'
import { useAhead } from '#lib/parts/fetch-ahead.ts'
import { whenIdle } from '#lib/parts/when-idle.ts'
import { whenShown } from '#lib/parts/when-shown.ts'
import { useShortcuts } from '#lib/keys/shortcuts.ts'
import { merchantKey } from '#sign-in/public.ts'
import { DialogPart } from '#ui/dialogs/dialog.tsx'
import {
  CourierDetailsDialog,
  CourierDialog,
  CourierPart,
  DeliverDialog,
  DirectionsPart,
  InstructionsPart,
} from '#delivery/public.ts'
import {
  AcceptManyDialog,
  DetailsDialog,
  DocumentsPart,
  LabelsDialog,
  printSlip,
  ReceiptsDialog,
  SlipsDialog,
} from '#documents/public.ts'
import { DutiesPart } from '#duties/public.ts'
import { NotesPart } from '#notes/public.ts'
import { DeskTools, OrderParts, ReviewDialog, startLive, StepDialogs } from '#orders/public.ts'
import { LabelDialog, LabelsPart, TrackingDialog } from '#shipping/public.ts'
import { Banners } from './banners.tsx'
import { CommandPalette, preloadCommands } from './commands/command-palette.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import styles from './shell.module.css'

const ShortcutSheet = lazyPart(() => import('./commands/shortcut-sheet.tsx'), 'ShortcutSheet')

const stepDialogs = {
  review: ReviewDialog,
  track: TrackingDialog,
  labels: LabelDialog,
  deliver: DeliverDialog,
  courier: CourierDialog,
  courier_details: CourierDetailsDialog,
}
const orderParts = {
  documents: DocumentsPart,
  duties: DutiesPart,
  instructions: InstructionsPart,
  directions: DirectionsPart,
  courier: CourierPart,
  labels: LabelsPart,
  notes: NotesPart,
}
const deskTools = {
  printSlip,
  bulk: {
    accept: AcceptManyDialog,
    slips: SlipsDialog,
    receipts: ReceiptsDialog,
    labels: LabelsDialog,
    details: DetailsDialog,
  },
}

function preloadOrderParts(): void {
  for (const part of Object.values(orderParts)) part.preload()
}

type Router = ReturnType<typeof useRouter>

/** The order view then opens whole, and nothing in it moves down. */
function preloadParts(): void {
  preloadOrderParts()
  preloadCommands()
  ShortcutSheet.preload()
}

function startLater(router: Router) {
  return whenIdle(() => {
    import('./idle.ts').then((part) => part.start(router)).catch(() => undefined)
  })
}

// A clerk who opens an order by its address sees it first, so its parts are fetched along with it.
if (location.pathname.startsWith('/orders/view/')) preloadOrderParts()

/** The frame around every page of a signed-in user. */
export function Shell({ children }: { children?: ReactNode }) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'shortcuts' | 'commands' | null>(null)
  const showShortcuts = (): void => setOpen('shortcuts')
  const close = (): void => setOpen(null)
  useEffect(() => whenShown(router, () => startLive(queryClient, merchantKey())), [router, queryClient])
  useAhead(preloadParts)
  useEffect(() => startLater(router), [router])
  useShortcuts({
    '?': showShortcuts,
    'mod k': () => setOpen('commands'),
    'g o': () => void navigate({ to: '/orders' }),
    'g i': () => void navigate({ to: '/inventory' }),
    'g t': () => void navigate({ to: '/today' }),
  })
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <Header onShowShortcuts={showShortcuts} onShowCommands={() => setOpen('commands')} />
      <Banners />
      <div className={styles.body} id="content" tabIndex={-1}>
        <StepDialogs value={stepDialogs}>
          <OrderParts value={orderParts}>
            <DeskTools value={deskTools}>{children ?? <Outlet />}</DeskTools>
          </OrderParts>
        </StepDialogs>
      </div>
      <Footer />
      {open === 'shortcuts' && (
        <DialogPart title="Keyboard shortcuts" onClose={close}>
          <ShortcutSheet onClose={close} />
        </DialogPart>
      )}
      {open === 'commands' && <CommandPalette onClose={close} onShowShortcuts={showShortcuts} />}
    </div>
  )
}
