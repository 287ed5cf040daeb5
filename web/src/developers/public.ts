export { developersRoute } from './routes.tsx'
