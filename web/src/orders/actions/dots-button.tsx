import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import type { ComponentPropsWithRef } from 'react'
import styles from './row-actions.module.css'

/** The menu gives its button an id of its own. */
export function DotsButton({ orderId, ...props }: ComponentPropsWithRef<'button'> & { orderId: string }) {
  return (
    <button {...props} type="button" className={styles.action} aria-label={`More for #${orderId}`}>
      <IconDots size={18} aria-hidden />
    </button>
  )
}
