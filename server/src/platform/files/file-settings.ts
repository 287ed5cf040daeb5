import { text, textOr } from '../settings/kinds.ts'
import { ConfigError, settingsPart } from '../settings/setting.ts'
import type { S3Settings } from './s3-store.ts'

const bucket = (value: string) =>
  /^https?:\/\/[^/]+\/.+/.test(value)
    ? undefined
    : 'must be the address of a bucket: https://s3.us-east-1.amazonaws.com/my-bucket.'

/** Without a bucket, files go below `dataDir`. */
export const files = settingsPart({
  title: 'Files: an object store',
  about:
    'Documents are kept below `DATA_DIR`. Servers on several machines need a store that all of them reach: any that speaks S3.',
  settings: {
    S3_ENDPOINT: text(
      {
        meaning: 'The address of the bucket. Needs the two keys.',
        example: 'https://s3.us-east-1.amazonaws.com/my-bucket',
      },
      bucket,
    ),
    S3_REGION: textOr('auto', { meaning: 'The bucket’s region.', example: 'us-east-1' }),
    S3_ACCESS_KEY_ID: text({ meaning: 'The key’s id.' }),
    S3_SECRET_ACCESS_KEY: text({ meaning: 'The key.' }),
    S3_PUBLIC_ENDPOINT: text(
      {
        meaning:
          'The bucket’s address for browsers: links to files lead there for two minutes. `none` where browsers cannot reach it, so that every file comes through this server.',
        without: '`S3_ENDPOINT`',
        example: 'none',
      },
      (value) => (value === 'none' ? undefined : bucket(value)),
    ),
  },
  shape(given): S3Settings | undefined {
    const endpoint = given.S3_ENDPOINT
    if (endpoint === undefined) return undefined
    const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given
    if (accessKeyId === undefined || secretAccessKey === undefined)
      throw new ConfigError('S3_ENDPOINT needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY beside it.')
    const publicEndpoint =
      given.S3_PUBLIC_ENDPOINT === 'none' ? undefined : (given.S3_PUBLIC_ENDPOINT ?? endpoint)
    return { endpoint, publicEndpoint, region: given.S3_REGION, accessKeyId, secretAccessKey }
  },
})
