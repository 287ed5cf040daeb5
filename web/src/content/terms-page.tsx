import { config } from '#lib/calls/config.ts'
import { Button } from '#ui/blocks/button.tsx'
import styles from './terms-page.module.css'
import { termsSections } from './terms.ts'

export function TermsPage() {
  return (
    <main className={styles.page}>
      <article className={styles.text}>
        <header className={styles.head}>
          <div>
            <h1>Merchant Terms and Conditions</h1>
            <p className={styles.date}>
              <time dateTime="2023-10-30">October 30th, 2023</time>
            </p>
          </div>
          <Button look="plain" className={styles.print} onClick={() => print()}>
            Print
          </Button>
        </header>
        {termsSections.map(({ title, paragraphs }, index) => (
          <section key={title}>
            <h2>
              {index + 1}. {title}
            </h2>
            {paragraphs(config.productName).map((text) => (
              <p key={text}>{text}</p>
            ))}
          </section>
        ))}
        <p className={styles.closing}>By logging in the merchant agrees to be bound by these terms.</p>
      </article>
    </main>
  )
}
