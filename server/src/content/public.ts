export { publishDocument, withdrawDocument } from './commands/publish-document.ts'
