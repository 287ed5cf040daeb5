import { Link } from '@tanstack/react-router'
import { buttonClass } from '#ui/button.tsx'
import { FullPage } from '#ui/full-page.tsx'

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
