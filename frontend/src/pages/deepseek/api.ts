import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'
import { rereadQueries } from '@/api/rereadQueries'
import { toast } from '@/ui/toast'

export type Conversation = Answer<'/api/Assistant/Conversation/{ConversationId}'>
export type Message = Conversation['Messages'][number]
export type Card = Message['Cards'][number]
export type Consent = NonNullable<Message['Consent']>
export type Picture = Message['Pictures'][number]
export type ConversationRow = Answer<'/api/Assistant/Conversation'>['Items'][number]

const LISTED = 50

export const conversations = (uid: string) =>
  queryOptions({
    queryKey: ['assistant', uid, 'list'],
    queryFn: ({ signal }) =>
      call('get', '/api/Assistant/Conversation', {
        query: { PageSize: LISTED },
        signal,
        quiet: true,
      }),
  })

export const conversation = (uid: string, ConversationId: string) =>
  queryOptions({
    queryKey: ['assistant', uid, ConversationId],
    queryFn: ({ signal }) =>
      call('get', '/api/Assistant/Conversation/{ConversationId}', {
        path: { ConversationId },
        signal,
        quiet: true,
      }),
    staleTime: Infinity,
  })

export const begin = () =>
  call('post', '/api/Assistant/Conversation', { loading: false, quiet: true })

export function useRename(uid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ Id, Title }: { Id: string; Title: string }) =>
      call('patch', '/api/Assistant/Conversation/{ConversationId}', {
        path: { ConversationId: Id },
        body: { Title },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: conversations(uid).queryKey }),
  })
}

export function useDeleteConversation(uid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (Id: string) =>
      call('delete', '/api/Assistant/Conversation/{ConversationId}', {
        path: { ConversationId: Id },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: conversations(uid).queryKey }),
  })
}

/** Adds the proposed lines to the cart after the user's consent, in the quantities shown. */
export function useAccept() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({
      Id,
      Items,
    }: {
      Id: string
      Items: { ProductCode: string; Quantity: number }[]
    }) =>
      call('post', '/api/Assistant/Proposal/{ProposalId}/Accept', {
        path: { ProposalId: Id },
        body: { Items },
      }),
    onSuccess: async () => {
      toast.success('添加购物车成功')
      await rereadQueries(client, ['cart', 'checkout'])
    },
  })
}
