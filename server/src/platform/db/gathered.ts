/**
 * One query for all callers of one turn of the event loop, sent when the turn ends, so that no answer is older than its
 * question. Under load, a dozen requests then cost one statement; alone, a request does not wait.
 */
export function gathered<Key, Value>(
  lookUp: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let gathering: { keys: Set<Key>; answers: Promise<ReadonlyMap<Key, Value>> } | undefined

  function gather() {
    const keys = new Set<Key>()
    const { promise: turnEnded, resolve } = Promise.withResolvers<void>()
    setImmediate(() => {
      gathering = undefined
      resolve()
    })
    return { keys, answers: turnEnded.then(() => lookUp([...keys])) }
  }

  return async (key) => {
    gathering ??= gather()
    gathering.keys.add(key)
    return (await gathering.answers).get(key)
  }
}
