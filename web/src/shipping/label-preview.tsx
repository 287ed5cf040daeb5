import styles from './carrier-page.module.css'

/** The label's place on its paper. */
export function LabelPreview({ size, format }: { size: string; format: string }) {
  const words = size === '4x6' ? '4 by 6 inches, for label printers' : 'in the middle of a letter page'
  return (
    <div className={styles.preview}>
      <div className={styles.paper} data-size={size} role="img" aria-label={`Preview: a label ${words}`}>
        <svg viewBox="0 0 80 120" aria-hidden>
          <path d="M4 4h72v112H4z" fill="none" stroke="#1c1b1a" />
          <path d="M4 24h72M4 84h72" stroke="#1c1b1a" />
          <path d="M8 8h22v12H8z" fill="#1c1b1a" />
          <path d="M8 30h26M8 34h20M24 46h40M24 51h44M24 56h32" stroke="#1c1b1a" strokeWidth="2" />
          <path d="M8 66h64v12H8z" fill="none" stroke="#1c1b1a" strokeWidth="2" />
          <path
            d="M10 90v20M13 90v20M18 90v20M20 90v20M25 90v20M30 90v20M32 90v20M38 90v20M41 90v20M46 90v20M52 90v20M54 90v20M59 90v20M63 90v20M66 90v20M70 90v20"
            stroke="#1c1b1a"
            strokeWidth="1.6"
          />
        </svg>
      </div>
      <span>
        {format}, {words}
      </span>
      {format === 'ZPL' && (
        <span>ZPL is a label printer’s own language. It is saved as a file to send to that printer.</span>
      )}
    </div>
  )
}
