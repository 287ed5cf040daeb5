import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FullPage } from '#ui/full-page.tsx'

export function NotFoundPage() {
  return (
    <FullPage title="Error Code: 404">
      <p>There is no page at this address.</p>
      <Button renderRoot={(props) => <Link to="/" {...props} />}>Go Back Home</Button>
    </FullPage>
  )
}
