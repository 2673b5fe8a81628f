import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body, type Query } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import type { ReportName } from './api'
import { WEEKDAYS } from './filters'

export type Subscription = Answer<'/api/ReportSubscription/{Id}'>
export type SubscriptionBody = Body<'/api/ReportSubscription'>
export type Send = Answer<'/api/ReportSubscription/{Id}/Send'>['Items'][number]
export type SendQuery = Query<'/api/ReportSubscription/{Id}/Send'>

export const FREQUENCIES = [
  { value: 'daily', label: '每天' },
  { value: 'weekly', label: '每周' },
  { value: 'monthly', label: '每月' },
] as const
export const SHIFTS = [
  { value: 'next', label: '顺延至下一个工作日' },
  { value: 'skip', label: '当次不发送' },
  { value: 'none', label: '照常发送' },
] as const
const SHIFT_TEXT: Readonly<Record<string, string>> = {
  next: '遇节假日顺延至下一个工作日',
  skip: '遇节假日不发送',
}

export type When = Pick<Subscription, 'Frequency' | 'Weekday' | 'MonthDay' | 'Time' | 'Shift'>

/** Return the rule for holidays; undefined if the letter is sent on holidays too. */
export const describeShift = ({ Shift }: Pick<When, 'Shift'>): string | undefined =>
  SHIFT_TEXT[Shift]

/** When it is sent, as a sentence. */
export function sentence({ Frequency, Weekday, MonthDay, Time, Shift }: When): string {
  const month =
    MonthDay === 31
      ? '每月最后一天'
      : MonthDay > 28
        ? `每月 ${MonthDay} 日（当月没有则为最后一天）`
        : `每月 ${MonthDay} 日`
  const day =
    Frequency === 'daily'
      ? '每天'
      : Frequency === 'weekly'
        ? `每${WEEKDAYS[Weekday - 1] ?? ''}`
        : month
  return [`${day} ${Time} 发送`, describeShift({ Shift })].filter(Boolean).join('，')
}

/**
 * Return a warning if the letter is sent so early in a month that its period is nearly empty;
 * otherwise undefined.
 */
export function warnIfEarly(
  { Frequency, MonthDay }: Pick<When, 'Frequency' | 'MonthDay'>,
  period: string | undefined,
): string | null {
  if (Frequency !== 'monthly' || period !== 'month' || MonthDay > 10) return null
  return `视图统计的是“本月”，每月 ${MonthDay} 日发送时本月只有 ${MonthDay} 天的数据；要看整月，请改用统计期间为“上月”的视图`
}

export const subscriptions = () =>
  queryOptions({
    queryKey: ['reportSubscriptions'],
    staleTime: 0,
    queryFn: ({ signal }) =>
      call('get', '/api/ReportSubscription', { query: { PageSize: 50 }, signal, quiet: true }),
  })

export const sends = (pk: string, query: SendQuery) =>
  queryOptions({
    queryKey: ['reportSends', pk, query],
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/ReportSubscription/{Id}/Send', {
        path: { Id: pk },
        query,
        signal,
        quiet: true,
      }),
  })

export const recipients = (Report: ReportName, Keyword: string) =>
  queryOptions({
    queryKey: ['reportRecipients', Report, Keyword],
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call('get', '/api/ReportSubscription/Recipient', {
        query: { Report, Keyword },
        signal,
        quiet: true,
      }),
  })

const TOUCHED = ['reportSubscriptions', 'reportSends']

export const useSubscribe = () =>
  useWrite(TOUCHED, (body: SubscriptionBody) =>
    call('post', '/api/ReportSubscription', { body, quiet: true }),
  )
export const useChangeSubscription = () =>
  useWrite(
    TOUCHED,
    ({ Id, ...body }: Body<'/api/ReportSubscription/{Id}', 'patch'> & { Id: string }) =>
      call('patch', '/api/ReportSubscription/{Id}', { path: { Id }, body, quiet: true }),
  )
export const useDropSubscription = () =>
  useWrite(TOUCHED, (Id: string) =>
    call('delete', '/api/ReportSubscription/{Id}', { path: { Id } }),
  )
export const useSendNow = () =>
  useWrite(TOUCHED, (Id: string) =>
    call('post', '/api/ReportSubscription/{Id}/SendNow', { path: { Id } }),
  )
