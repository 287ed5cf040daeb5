export { todayRoutes } from './routes.tsx'
