import { text } from '#platform/settings/kinds.ts'
import { settingsPart } from '#platform/settings/setting.ts'
import type { PrismicSettings } from './prismic-documents.ts'

export const newsSettings = settingsPart({
  title: 'News: Prismic',
  settings: {
    PRISMIC_REPOSITORY: text({
      meaning:
        'The repository’s name or API address. It holds the banner’s documents that `admin publish-content` has not published here.',
    }),
    PRISMIC_ACCESS_TOKEN: text({ meaning: 'The token of a private repository.' }),
  },
  shape: (given): PrismicSettings | undefined =>
    given.PRISMIC_REPOSITORY === undefined
      ? undefined
      : { repository: given.PRISMIC_REPOSITORY, accessToken: given.PRISMIC_ACCESS_TOKEN },
})
