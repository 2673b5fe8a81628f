import type { NoticeQuery } from '@/domain/notices/notices'
import { readPage } from '@/lib/useFilters'

type Section = Exclude<NonNullable<NoticeQuery['Section']>, ''>

/** The notice groups of the server. The types report a missing new group. */
const LABELS: Record<Section, string> = {
  approval: '审批',
  order: '订单',
  inquiry: '询价',
  budget: '预算',
  terms: '价格与协议',
  invoice: '发票',
  account: '账号安全',
  report: '报表',
  sheet: '表格导入',
  connection: '系统对接',
}

export const SECTIONS = (Object.keys(LABELS) as Section[]).map((key) => ({
  key,
  label: LABELS[key],
}))

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

export const toQuery = ({
  View,
  Section: section,
  PageIndex,
  PageSize,
}: NoticeFilters): NoticeQuery => ({
  Unread: View === 'unread' || undefined,
  Section: section,
  PageIndex,
  PageSize: PageSize as NoticeQuery['PageSize'],
})
