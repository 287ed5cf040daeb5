import type { DataTag, QueryClient, QueryKey, Updater } from '@tanstack/react-query'

/**
 * Shows a save's answer, or what follows from it. A read that began before the save has an older one on its way, which
 * would take it back.
 */
export async function keepSaved<D>(
  queryClient: QueryClient,
  { queryKey }: { readonly queryKey: DataTag<QueryKey, D, Error> },
  saved: Updater<NoInfer<D> | undefined, NoInfer<D> | undefined>,
): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  const untagged: QueryKey = queryKey
  queryClient.setQueryData<D>(untagged, saved)
}
