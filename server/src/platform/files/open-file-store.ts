import type { Config } from '../config.ts'
import type { HealthRecord } from '../outside/health.ts'
import { createDiskStore } from './disk-store.ts'
import type { FileStore } from './file-store.ts'
import { createS3Store } from './s3-store.ts'

export function openFileStore(
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  health: HealthRecord,
): FileStore {
  return s3 === undefined ? createDiskStore(dataDir) : createS3Store(s3, health)
}
