import { call } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import { paths } from '@/lib/paths'
import type { IconName } from '@/ui/Icon'

export interface Shortcut {
  label: string
  icon: IconName
  to: string
}

/** The targets of the server's shortcut codes. Unknown codes are not shown. */
const SHORTCUTS: Readonly<Record<string, Shortcut>> = {
  approvals: { label: '订单审批', icon: 'approve', to: paths.approvals() },
  orders: { label: '我的订单', icon: 'order', to: paths.orders() },
  select: { label: '一键选品', icon: 'spark', to: paths.select() },
  quickOrder: { label: '快速下单', icon: 'list', to: paths.quickOrder() },
  budgets: { label: '预算余额', icon: 'wallet', to: paths.budgets() },
  accounts: { label: '账号管理', icon: 'user', to: paths.accounts() },
  departments: { label: '部门管理', icon: 'folder', to: paths.departments() },
  approvalRules: { label: '审批规则', icon: 'filter', to: paths.approvalRules() },
  invoiceApply: { label: '申请开票', icon: 'edit', to: paths.invoiceApply() },
  invoices: { label: '开票记录', icon: 'list', to: paths.invoices() },
  statements: { label: '对账单', icon: 'wallet', to: paths.statements() },
  returns: { label: '退换货', icon: 'truck', to: paths.returns() },
  requisitions: { label: '采购申请', icon: 'cart', to: paths.requisitions() },
  inquiry: { label: '意向询价', icon: 'tag', to: paths.inquiry() },
  favorites: { label: '我的收藏', icon: 'heart', to: paths.favorites() },
  addresses: { label: '收货地址', icon: 'truck', to: paths.addresses() },
  roles: { label: '角色管理', icon: 'shield', to: paths.roles() },
  group: { label: '集团管理', icon: 'desk', to: paths.group() },
  rank: { label: '采购排行', icon: 'chart', to: paths.rank() },
  assistant: { label: 'AI 采购助手', icon: 'chat', to: paths.assistant() },
  browsed: { label: '浏览历史', icon: 'clock', to: paths.browsed() },
  account: { label: '个人信息', icon: 'edit', to: paths.account() },
}

export const listKnownShortcuts = (
  codes: readonly string[],
): { code: string; shortcut: Shortcut }[] =>
  codes.flatMap((code) => {
    const shortcut = SHORTCUTS[code]
    return shortcut ? [{ code, shortcut }] : []
  })

/** Moves the item at `from` to `to`. */
export function moveItem(codes: readonly string[], from: number, to: number): string[] {
  const rest = codes.filter((_, index) => index !== from)
  const one = codes[from]
  return one === undefined || to < 0 || to >= codes.length
    ? [...codes]
    : [...rest.slice(0, to), one, ...rest.slice(to)]
}

/** An empty list restores the default shortcuts. */
export const useArrange = () =>
  useWrite(['workbench'], (Codes: string[]) =>
    call('post', '/api/Workbench/Shortcuts', { body: { Codes }, quiet: true }),
  )
