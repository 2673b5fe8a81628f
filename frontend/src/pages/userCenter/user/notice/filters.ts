import type { NoticeQuery } from '@/domain/notices/notices'
import { readPage } from '@/lib/useFilters'

/** The groups the server knows, in its words. */
export const SECTIONS = [
  { key: 'approval', label: '审批' },
  { key: 'order', label: '订单' },
  { key: 'inquiry', label: '询价' },
  { key: 'budget', label: '预算' },
  { key: 'terms', label: '价格与协议' },
  { key: 'account', label: '账号安全' },
] as const

type Section = (typeof SECTIONS)[number]['key']
const VIEWS = ['', 'unread', 'settings'] as const

export interface NoticeFilters {
  /** '' all, 'unread', 'settings' */
  View: (typeof VIEWS)[number]
  Section?: Section | undefined
  PageIndex: number
  PageSize: number
}

export const readFilters = (params: URLSearchParams): NoticeFilters => ({
  View: VIEWS.find((view) => view === params.get('View')) ?? '',
  Section: SECTIONS.find(({ key }) => key === params.get('Section'))?.key,
  ...readPage(params),
})

export const toQuery = ({ View, Section: section, PageIndex, PageSize }: NoticeFilters): NoticeQuery => ({
  Unread: View === 'unread' || undefined,
  Section: section,
  PageIndex,
  PageSize: PageSize as NoticeQuery['PageSize'],
})
