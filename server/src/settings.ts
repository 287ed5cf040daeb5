import { paymentSettings } from './billing/settings.ts'
import { newsSettings } from './content/settings.ts'
import { courierSettings, mapSettings, textSettings } from './delivery/settings.ts'
import { insightSettings } from './insights/settings.ts'
import { readConfig, type Config } from './platform/config.ts'
import { files } from './platform/files/file-settings.ts'
import { mail } from './platform/mail/mail-settings.ts'
import { demo, elsewhere, listening, secrets, storage, wording } from './platform/settings/server-settings.ts'
import { checkParts, type Environment, type Part } from './platform/settings/setting.ts'
import { labelSettings } from './shipping/settings.ts'

/** Every setting, in the order of docs/configuration.md and .env.example. */
export const settingsParts: readonly Part<unknown>[] = [
  listening,
  storage,
  demo,
  secrets,
  mail,
  labelSettings,
  courierSettings,
  textSettings,
  mapSettings,
  paymentSettings,
  newsSettings,
  insightSettings,
  wording,
  elsewhere,
  files,
]

/**
 * Reads every setting before anything starts.
 * @throws {ConfigError} with one sentence for each variable that is missing or wrong.
 */
export function readSettings(env: Environment): Config {
  checkParts(settingsParts, env)
  return readConfig(env)
}
