// A line that moves while somebody waits: at a terminal it changes in place, in a log it comes every ten seconds.
const MOVES_MS = 500
const LOG_LINES_MS = 10_000

/**
 * Says what is done until the work ends, with the seconds so far and the words of `look`.
 * @template T
 * @param {string} text
 * @param {() => Promise<T>} work
 * @param {() => string} look
 * @returns {Promise<T>}
 */
export async function withProgress(text, work, look = () => '') {
  const { stdout } = process
  const began = Date.now()
  const line = () => {
    const seconds = Math.round((Date.now() - began) / 1000)
    return [text, look(), `${seconds} s`].filter(Boolean).join(', ')
  }
  const write = () => stdout.write(stdout.isTTY ? `\r\u001B[K${line()}` : `${line()}\n`)
  stdout.write(stdout.isTTY ? text : `${text} ...\n`)
  const timer = setInterval(write, stdout.isTTY ? MOVES_MS : LOG_LINES_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    stdout.write(stdout.isTTY ? `\r\u001B[K${line()}\n` : `${line()}\n`)
  }
}
