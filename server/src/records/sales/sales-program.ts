import { answerQuestions } from '#platform/side-process/answer.ts'
import { findSales, type SalesPage } from './sales-page.ts'

answerQuestions(async (page: SalesPage) => findSales(page))
