let stays: Promise<void> | undefined

/** Resolves once the sign-in page may open; never in a page that is about to be replaced. */
export const signInPageFree = (): Promise<void> | undefined => stays

/**
 * Keeps the sign-in page from opening while a page load may be on its way, which would wipe what the next person has
 * typed into it by then. Returns the function that lets it open after all.
 */
export function holdSignInPage(): () => void {
  let free!: () => void
  stays = new Promise((resolve) => (free = resolve))
  return free
}
