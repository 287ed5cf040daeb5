import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './button.module.css'

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  look?: 'primary' | 'plain'
  size?: 'small' | 'normal' | 'large'
  /** While busy, the button says so, keeps the focus and takes no further press. */
  isBusy?: boolean
  children: ReactNode
}

export function Button({
  look = 'primary',
  size = 'normal',
  isBusy,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const busy = isBusy || undefined
  return (
    <button
      type="button"
      data-busy={busy}
      aria-disabled={busy}
      aria-busy={busy}
      {...rest}
      className={[buttonClass, className].filter(Boolean).join(' ')}
      data-look={look}
      data-size={size}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      <span className={styles.label}>{children}</span>
      {busy && <span className={styles.spinner} aria-hidden />}
    </button>
  )
}

/** For a link that looks like a button. */
export const buttonClass = styles.button ?? ''
