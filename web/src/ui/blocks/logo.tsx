import styles from './logo.module.css'

export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg className={styles.logo} width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect className={styles.ground} width="32" height="32" rx="8" />
      <path
        className={styles.bottle}
        d="M13.5 5h5v6.2c0 1.9 3 2.9 3 5.8v8.5a1.8 1.8 0 0 1-1.8 1.8h-7.4a1.8 1.8 0 0 1-1.8-1.8V17c0-2.9 3-3.9 3-5.8z"
      />
      <path className={styles.ground} d="M10.5 19h11v4.6h-11z" />
    </svg>
  )
}
