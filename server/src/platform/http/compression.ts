import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

const thresholdBytes = 2_048
/** A page of orders shrinks to a tenth at the least effort already. */
const zlibOptions = { level: constants.Z_BEST_SPEED }

/** For a shop on a slow line. Files of the dashboard come compressed from the build; event streams are never held back. */
export async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, { encodings: ['gzip'], threshold: thresholdBytes, zlibOptions })
}
