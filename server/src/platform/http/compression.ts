import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

const thresholdBytes = 2_048
/** The least effort already shrinks a page of orders to a tenth. */
const zlibOptions = { level: constants.Z_BEST_SPEED }

/** For shops on slow connections. The build compresses the dashboard's files; event streams are never buffered. */
export async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, { encodings: ['gzip'], threshold: thresholdBytes, zlibOptions })
}
