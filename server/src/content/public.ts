export { publishDocument, withdrawDocument } from './commands/publish-document.ts'
export { chooseContent } from './choose-content.ts'
export { prismicName } from './prismic-documents.ts'
export { contentUpkeep } from './upkeep.ts'
