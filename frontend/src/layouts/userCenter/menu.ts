import { paths } from '@/lib/paths'
import type { IconName } from '@/ui/Icon'

export interface MenuEntry {
  label: string
  to: string
  /** The permission code of the server. An entry without a code is open to everybody. */
  code: string | null
}

export interface MenuGroup {
  label: string
  icon: IconName
  code: string | null
  entries: readonly MenuEntry[]
}

/** The left menu. Add an entry here for each new screen. */
export const MENU: readonly MenuGroup[] = [
  {
    label: '我的工作台',
    icon: 'home',
    code: null,
    entries: [{ label: '我的工作台', to: paths.workbench(), code: null }],
  },
  {
    label: '我的订单',
    icon: 'order',
    code: 'order',
    entries: [
      { label: '订单列表', to: paths.orders(), code: 'order.list' },
      { label: '订单审批', to: paths.approvals(), code: 'order.approval' },
      { label: '退换货', to: paths.returns(), code: 'order.return' },
      { label: '取消订单', to: paths.cancels(), code: 'order.cancel' },
      { label: '采购申请', to: paths.requisitions(), code: null },
      { label: '采购清单', to: paths.quickLists(), code: null },
      { label: '定期采购', to: paths.recurringOrders(), code: null },
      { label: '报价单', to: paths.quotations(), code: null },
      { label: '意向商品询价', to: paths.inquiries(), code: null },
    ],
  },
  {
    label: '报表中心',
    icon: 'chart',
    code: 'report',
    entries: [
      { label: '订单报表', to: paths.report('Order'), code: 'report.order' },
      { label: '订单明细报表', to: paths.report('OrderDetail'), code: 'report.orderDetail' },
      { label: '商品报表', to: paths.report('Product'), code: 'report.product' },
      { label: '部门报表', to: paths.report('Department'), code: 'report.department' },
      { label: '采购人报表', to: paths.report('Purchaser'), code: 'report.purchaser' },
      { label: '品牌报表', to: paths.report('Brand'), code: 'report.brand' },
      { label: '节约与合规报表', to: paths.report('Savings'), code: 'report.savings' },
      { label: '预算执行报表', to: paths.report('Budget'), code: 'report.budget' },
      { label: '核算报表', to: paths.dimensionReport(), code: 'report.department' },
    ],
  },
  {
    label: '资产中心',
    icon: 'wallet',
    code: 'asset',
    entries: [
      { label: '预算余额', to: paths.budgets(), code: 'asset.budget' },
      { label: '核算项', to: paths.dimensions(), code: 'asset.dimension' },
    ],
  },
  {
    label: '管理中心',
    icon: 'folder',
    code: 'management',
    entries: [
      { label: '集团管理', to: paths.group(), code: 'management.group' },
      { label: '部门管理', to: paths.departments(), code: 'management.department' },
      { label: '账号管理', to: paths.accounts(), code: 'management.account' },
      { label: '角色管理', to: paths.roles(), code: 'management.role' },
      { label: '审批规则', to: paths.approvalRules(), code: 'management.approval' },
      { label: '收货地址', to: paths.addresses(), code: 'management.address' },
    ],
  },
  {
    label: '发票中心',
    icon: 'invoice',
    code: 'invoice',
    entries: [
      { label: '申请开票', to: paths.invoiceApply(), code: 'invoice.apply' },
      { label: '开票记录', to: paths.invoices(), code: 'invoice.list' },
      { label: '对账单', to: paths.statements(), code: 'invoice.list' },
    ],
  },
  {
    label: '个人中心',
    icon: 'user',
    code: null,
    entries: [
      { label: '消息通知', to: paths.notices(), code: null },
      { label: '个人信息', to: paths.account(), code: null },
      { label: '修改密码', to: paths.password(), code: null },
      { label: '代理审批', to: paths.approvals({ Delegation: 'open' }), code: 'order.approval' },
      { label: '我的提问', to: paths.questions(), code: null },
      { label: '我的收藏', to: paths.favorites(), code: null },
      { label: '浏览历史', to: paths.browsed(), code: null },
      { label: '到货提醒', to: paths.reminders(), code: null },
    ],
  },
]

/**
 * The entries that `may` allows inside groups that it allows, and all entries without a code. A
 * group without entries is omitted.
 */
export const visibleMenu = (
  groups: readonly MenuGroup[],
  may: (code: string | null) => boolean,
): MenuGroup[] =>
  groups
    .map((group) => ({
      ...group,
      entries: group.entries.filter(({ code }) => code === null || (may(group.code) && may(code))),
    }))
    .filter(({ entries }) => entries.length > 0)

/**
 * Screens without a menu entry, including their subpages, with their rights. One of the rights is
 * enough.
 */
const NO_ENTRY: readonly (readonly [string, readonly string[]])[] = [
  ['/userCenter/order/detail', ['order.list', 'order.approval']],
  ['/userCenter/order/review', ['order.list']],
  ['/userCenter/invoice/detail', ['invoice.list']],
]

/** Screens that belong to an entry, although their address is not below its address. */
const BELOW: readonly (readonly [string, string])[] = [
  ['/userCenter/order/review', paths.orders()],
  ['/userCenter/invoice/detail', paths.invoices()],
]

const isWithin = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(`${path}/`)

/** The entry with this address or the nearest parent address, and its group. */
function getEntry(pathname: string): { group: MenuGroup; entry: MenuEntry } | undefined {
  const all = MENU.flatMap((group) => group.entries.map((entry) => ({ group, entry })))
  const at = getPlace(pathname)
  return all
    .filter(({ entry }) => isWithin(at, entry.to))
    .toSorted((a, b) => b.entry.to.length - a.entry.to.length)[0]
}

/** The address of the entry to which this screen belongs, if the screen has a different address. */
export const getPlace = (pathname: string): string =>
  BELOW.find(([path]) => isWithin(pathname, path))?.[1] ?? pathname

/**
 * The rights for the screen at this address. One of them is enough. Empty if the screen is open to
 * everybody. A subpage has the rights of its entry.
 */
export function getCodes(pathname: string): readonly string[] {
  const code = getEntry(pathname)?.entry.code
  return NO_ENTRY.find(([path]) => isWithin(pathname, path))?.[1] ?? (code ? [code] : [])
}

/**
 * The breadcrumb of a page: home, the group, the entry, and the page itself if it is below an
 * entry.
 */
export function getTrail(pathname: string, title: string): { label: string; to?: string }[] {
  const found = getEntry(pathname)
  const home = { label: '首页', to: paths.home() }
  if (!found) return [home, { label: title }]
  const { group, entry } = found
  const above = group.label === entry.label ? [] : [{ label: group.label }]
  return [
    home,
    ...above,
    { label: entry.label, to: entry.to },
    ...(pathname !== entry.to && title !== entry.label ? [{ label: title }] : []),
  ]
}
