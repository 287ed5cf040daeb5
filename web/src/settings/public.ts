export { settingsLinks } from './links.ts'
export { settingsIndexRoute, settingsPage, settingsRoute } from './routes.tsx'
