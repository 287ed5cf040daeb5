export { reportsRoute } from './routes.tsx'
