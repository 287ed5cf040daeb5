export { pickRoute } from './routes.tsx'
