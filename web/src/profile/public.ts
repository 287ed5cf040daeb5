export { profileRoute } from './routes.tsx'
