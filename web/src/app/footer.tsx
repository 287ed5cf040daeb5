import { Link } from '@tanstack/react-router'
import { config } from '#lib/calls/config.ts'
import styles from './shell.module.css'

const year = new Date().getFullYear()

export function Footer() {
  return (
    <footer className={styles.footer}>
      <span>
        © {year} {config.productName}
      </span>
      <Link to="/terms">Terms of Service</Link>
    </footer>
  )
}
