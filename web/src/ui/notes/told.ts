import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { takeBackFailure, tellFailure } from './toasts.tsx'

/** One try of an action: a failure that is still on the screen goes at the start, and again once the try has succeeded. */
export async function told<R>(action: string, attempt: () => Promise<R>): Promise<R> {
  takeBackFailure(action)
  const result = await attempt()
  // An earlier try may have failed meanwhile.
  takeBackFailure(action)
  return result
}

type Words = readonly [text: string, detail?: string | undefined]

interface Told<R, G> extends Omit<UseMutationOptions<R, Error, G>, 'mutationFn'> {
  /** With what it acts on, since the success of one order takes back no other order's failure. */
  action: string | ((given: G) => string)
  attempt: (given: G) => Promise<R>
  /** The words of the toast; undefined where the form shows the refusal itself. */
  failure: (error: Error, given: G) => Words | undefined
}

/** A mutation whose failure shows as a toast. */
export function useTold<R, G = void>(given: Told<R, G>): UseMutationResult<R, Error, G> {
  const { action, attempt, failure, ...options } = given
  const nameOf = (wish: G): string => (typeof action === 'string' ? action : action(wish))
  return useMutation<R, Error, G>({
    ...options,
    mutationFn: (wish) => told(nameOf(wish), () => attempt(wish)),
    onError: (error, wish, ...rest) => {
      const words = failure(error, wish)
      if (words) tellFailure(nameOf(wish), ...words)
      return options.onError?.(error, wish, ...rest)
    },
  })
}
