import type { HealthRecord } from '#platform/outside/health.ts'
import { createOutside } from '#platform/outside/outside.ts'
import {
  createPrismicDocuments,
  prismicName,
  type ContentService,
  type PrismicSettings,
} from './prismic-documents.ts'

/** Prismic when the settings name a repository; documents published here work in any case. */
export function chooseContent(
  health: HealthRecord,
  prismic: PrismicSettings | undefined,
): ContentService | undefined {
  return prismic && createPrismicDocuments(createOutside({ provider: prismicName, health }), prismic)
}
