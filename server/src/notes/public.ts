export { noteState } from './reads.ts'
