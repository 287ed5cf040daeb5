export { merchantQuery, useTimezone } from './queries.ts'
