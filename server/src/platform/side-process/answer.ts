/** The other end of a process of ours: answers one question after another. */
export function answerQuestions(work: (task: never) => Promise<unknown>): void {
  process.on('message', ({ id, task }: { id: number; task: never }) => {
    work(task).then(
      (result) => process.send?.({ id, result }),
      (error: unknown) =>
        process.send?.({ id, error: error instanceof Error ? error.message : String(error) }),
    )
  })
}
