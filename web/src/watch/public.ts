export { alarmsRoute } from './routes.tsx'
