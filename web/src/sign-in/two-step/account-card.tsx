import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import type { FormEvent, ReactNode } from 'react'
import { useId } from 'react'
import { Logo } from '#ui/blocks/logo.tsx'
import { MantineRoot } from '#ui/theme/mantine-root.tsx'
import styles from './account-card.module.css'

interface Props {
  title: string
  /** A failure that belongs to no field. */
  problem?: string | undefined
  onSubmit: (event: FormEvent) => void
  formId?: string
  children: ReactNode
}

/** A page without a session: one card, one form. */
export function AccountCard({ title, problem, onSubmit, formId, children }: Props) {
  const titleId = useId()
  return (
    <MantineRoot>
      <main className={styles.page}>
        <form className={styles.card} id={formId} onSubmit={onSubmit} noValidate aria-labelledby={titleId}>
          <Logo size={40} />
          <h1 id={titleId}>{title}</h1>
          {problem !== undefined && (
            <p className={styles.problem} role="alert">
              <IconAlertCircle size={18} aria-hidden />
              {problem}
            </p>
          )}
          {children}
        </form>
      </main>
    </MantineRoot>
  )
}
