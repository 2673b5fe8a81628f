import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'

export type Webhook = Answer<'/api/Webhook/{Id}'>
export type WebhookBody = Body<'/api/Webhook'>
export type Keyed = Answer<'/api/Webhook', 'post'>
export type Delivery = Answer<'/api/Webhook/{Id}/Delivery'>['Items'][number]
export type DeliveryQuery = Query<'/api/Webhook/{Id}/Delivery'>

/** The events that can be subscribed to, in the order of the form. */
export const EVENT_GROUPS = [
  { value: 'order', label: '订单', note: '提交、审批、确认、完成、取消' },
  { value: 'shipment', label: '发货与签收', note: '每次发货、每次签收' },
  { value: 'invoice', label: '发票', note: '开具、红冲、申请驳回' },
  { value: 'price', label: '价格与协议', note: '协议价变更、即将到期，次日汇总' },
] as const
export const eventGroupName = (value: string): string =>
  EVENT_GROUPS.find((one) => one.value === value)?.label ?? value

export const webhooks = () =>
  queryOptions({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => call('get', '/api/Webhook', { signal, quiet: true }),
    staleTime: 0,
  })

export const deliveries = (pk: string, query: DeliveryQuery) =>
  queryOptions({
    queryKey: ['deliveries', pk, query],
    queryFn: ({ signal }) =>
      call('get', '/api/Webhook/{Id}/Delivery', { path: { Id: pk }, query, signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const delivery = (pk: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['deliveries', pk, 'one', deliveryId],
    queryFn: ({ signal }) =>
      call('get', '/api/Webhook/{Id}/Delivery/{DeliveryId}', {
        path: { Id: pk, DeliveryId: deliveryId },
        signal,
        quiet: true,
      }),
    staleTime: 0,
  })

const TOUCHED = ['webhooks', 'deliveries', 'changes']

export const useCreateWebhook = () =>
  useWrite(TOUCHED, (body: WebhookBody) => call('post', '/api/Webhook', { body, quiet: true }))
export const useSaveWebhook = (pk: string) =>
  useWrite(TOUCHED, (body: Body<'/api/Webhook/{Id}', 'patch'>) =>
    call('patch', '/api/Webhook/{Id}', { path: { Id: pk }, body, quiet: true }),
  )
export const useTurnWebhook = () =>
  useWrite(TOUCHED, ({ Id: pk, IsActive }: { Id: string; IsActive: boolean }) =>
    call('patch', '/api/Webhook/{Id}', { path: { Id: pk }, body: { IsActive } }),
  )
export const useDeleteWebhook = () =>
  useWrite(TOUCHED, (pk: string) => call('delete', '/api/Webhook/{Id}', { path: { Id: pk } }))
export const useRotateWebhook = () =>
  useWrite(TOUCHED, ({ pk, body }: { pk: string; body: Body<'/api/Webhook/{Id}/Rotate'> }) =>
    call('post', '/api/Webhook/{Id}/Rotate', { path: { Id: pk }, body, quiet: true }),
  )
export const useTestWebhook = () =>
  useWrite(TOUCHED, (pk: string) => call('post', '/api/Webhook/{Id}/Test', { path: { Id: pk } }))
export const useReplay = (pk: string) =>
  useWrite(TOUCHED, (deliveryId: string) =>
    call('post', '/api/Webhook/{Id}/Delivery/{DeliveryId}/Replay', {
      path: { Id: pk, DeliveryId: deliveryId },
    }),
  )
