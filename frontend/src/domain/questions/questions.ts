import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'

export type ProductQuestions = Answer<'/api/Product/{ProductCode}/Questions'>
export type ProductQuestion = ProductQuestions['Items'][number]
export type QuestionsQuery = Query<'/api/Product/{ProductCode}/Questions'>
export type OwnQuestion = Answer<'/api/ProductQuestion'>['Items'][number]
export type OwnQuestionsQuery = Query<'/api/ProductQuestion'>

/** The questions of a product. Questions of colleagues contain names, so they load per person. */
export const productQuestions = (uid: string, ProductCode: string, query: QuestionsQuery) =>
  queryOptions({
    queryKey: ['questions', ProductCode, uid, query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/Product/{ProductCode}/Questions', {
        path: { ProductCode },
        query,
        signal,
        quiet: true,
      }),
  })

export const ownQuestions = (query: OwnQuestionsQuery) =>
  queryOptions({
    queryKey: ['questions', 'own', query],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call('get', '/api/ProductQuestion', { query, signal, quiet: true }),
  })

export const useAskProductQuestion = () =>
  useWrite(['questions'], (body: Body<'/api/ProductQuestion'>) =>
    call('post', '/api/ProductQuestion', { body, quiet: true }),
  )

export const useRetract = () =>
  useWrite(
    ['questions'],
    (QuestionId: string) =>
      call('post', '/api/ProductQuestion/{QuestionId}/Retract', { path: { QuestionId } }),
    { rereadOnRefusal: true },
  )
