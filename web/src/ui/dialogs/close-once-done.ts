/**
 * What closes a dialog whose call may be under way. Until the call has its answer the dialog stays: a refusal shows in it,
 * and a late answer would close the dialog that the person has opened since.
 */
export function closeOnceDone(isPending: boolean, close: () => void): () => void {
  return () => {
    if (!isPending) close()
  }
}
