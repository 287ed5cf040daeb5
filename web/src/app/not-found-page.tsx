import { Link } from '@tanstack/react-router'
import { buttonClass } from '#ui/blocks/button.tsx'
import { FullPage } from '#ui/blocks/full-page.tsx'

export function NotFoundPage() {
  return (
    <FullPage title="Error Code: 404">
      <p>There is no page at this address.</p>
      <Link to="/" className={buttonClass}>
        Go Back Home
      </Link>
    </FullPage>
  )
}
