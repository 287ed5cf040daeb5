import { UnreachableError } from '#lib/calls/call.ts'

/** Whether the order may have changed by this command itself: the event stream can be faster than its answer. */
export function isOwnChange(command: {
  isPending: boolean
  isSuccess: boolean
  error: Error | null
}): boolean {
  return command.isPending || command.isSuccess || command.error instanceof UnreachableError
}
