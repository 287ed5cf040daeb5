import { expect } from '../desk.ts'
import type { Outside } from '../outside.ts'

/** The path of the link in the person's newest mail after `after`. */
export async function linkMailedTo(outside: Outside, email: string, after?: string): Promise<string> {
  let path: string | undefined
  await expect(async () => {
    const { items } = await outside.call('GET /demo/outbox.json', { as: '' })
    const link = items.find(({ to, links }) => to === email && links.length > 0)?.links[0]
    path = link === undefined ? undefined : new URL(link).pathname
    expect(path).toBeDefined()
    expect(path).not.toBe(after)
  }).toPass()
  return path ?? ''
}
