export { teamRoute } from './routes.tsx'
