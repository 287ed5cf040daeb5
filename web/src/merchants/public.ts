export { merchantQuery, useTimezone } from './queries.ts'
export { companyRoute } from './routes.tsx'
