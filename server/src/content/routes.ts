import { drawBottle } from '@cellarhand/contract/content'
import { refuse } from '#platform/http/refuse.ts'
import type { Http } from '#platform/http/server.ts'
import { drawBottleSvg, parseBottleName } from './bottle-picture.ts'

const oneDaySeconds = 86_400

export function serveContent({ serve }: Http): void {
  serve(drawBottle, async ({ params, reply }) => {
    const bottle = parseBottleName(params.name)
    if (bottle === undefined) return refuse('not_found')
    return reply
      .type('image/svg+xml')
      .header('cache-control', `public, max-age=${oneDaySeconds}`)
      .send(drawBottleSvg(bottle))
  })
}
