import { signOut } from '#sign-in/public.ts'

/** Ends the session here and on the server; a full page load drops every bit of client state. */
export async function leave(): Promise<void> {
  await signOut()
  location.assign('/')
}
