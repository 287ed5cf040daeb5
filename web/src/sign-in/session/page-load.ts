/**
 * Keeps the sign-in page from opening while a page load may be on its way, which would wipe what the next person has
 * typed into it by then.
 */
export const signInPage: {
  /** Resolves once the page may open; never in a page that is about to be replaced. */
  free?: () => Promise<void>
} = {}
