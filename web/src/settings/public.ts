export { settingsLinks } from './links.ts'
export { settingsIndexRoute, settingsRoute } from './routes.tsx'
