import { session } from '#sign-in/public.ts'
import styles from './basic-information.module.css'
import { BasicInformation } from './basic-information.tsx'

export function ProfilePage() {
  const { user } = session.use()
  return (
    <>
      <h1>Profile</h1>
      <div className={styles.card}>{user && <BasicInformation key={user.id} user={user} />}</div>
    </>
  )
}
