import { session } from '#sign-in/public.ts'
import { BasicInformation } from './basic-information.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { TwoStepCard } from './two-step-card.tsx'
import styles from './basic-information.module.css'

export function ProfilePage() {
  const { user } = session.use()
  return (
    <>
      <h1>Profile</h1>
      {user && (
        <div className={styles.card}>
          <BasicInformation key={user.id} user={user} />
          <TwoStepCard userId={user.id} />
          <SessionsCard userId={user.id} />
        </div>
      )}
    </>
  )
}
