/** One builder per address. No other module writes addresses. */

type Value = string | number | boolean | null | undefined | readonly string[]

/** Build `?Keyword=…` without empty values. A list repeats its key. */
export function search(query: Record<string, Value>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? (value as readonly string[]) : [value]
    for (const one of values)
      if (one !== undefined && one !== null && one !== '' && one !== false)
        params.append(key, String(one))
  }
  const text = params.toString()
  return text ? `?${text}` : ''
}

export const paths = {
  home: () => '/',
  login: (redirect?: string) => `/login${search({ redirect })}`,
  resetPassword: (redirect?: string) => `/resetPassword${search({ redirect })}`,
  wechatWorkAuth: (redirect?: string) => `/wechat-work-auth${search({ redirect })}`,
  robotVerify: (redirect?: string) => `/robotVerify${search({ redirect })}`,
  products: (query: Record<string, Value> = {}) => `/product/index${search(query)}`,
  product: (code: string) => `/${encodeURIComponent(code)}.html`,
  compare: (codes: readonly string[]) => `/product/compare${search({ Code: codes })}`,
  select: () => '/product/select',
  quickOrder: () => '/product/QuickOrder',
  rank: () => '/product/rank',
  finder: (query: Record<string, Value> = {}) => `/product/finder${search(query)}`,
  assistant: () => '/deepseek',
  cart: () => '/shop/cart',
  checkout: (query: Record<string, Value> = {}) => `/shop/submit${search(query)}`,
  submitted: (orderNo: string) => `/shop/state${search({ OrderNo: orderNo })}`,
  help: (page: number) => `/help/detail/${page}`,
  about: (name: 'BizCustom' | 'kpinfo') => `/about/${name}`,
  businessLicence: () => '/about/licence',
  workbench: () => '/userCenter/index',
  orders: (query: Record<string, Value> = {}) => `/userCenter/order/index${search(query)}`,
  order: (orderNo: string) => `/userCenter/order/detail${search({ OrderNo: orderNo })}`,
  review: (orderNo: string) => `/userCenter/order/review/${encodeURIComponent(orderNo)}`,
  cancels: (query: Record<string, Value> = {}) => `/userCenter/order/cancelSales${search(query)}`,
  cancelApply: (orderNo: string) =>
    `/userCenter/order/cancelSales/apply${search({ OrderNo: orderNo })}`,
  cancel: (id: string) => `/userCenter/order/cancelSales/${encodeURIComponent(id)}`,
  requisitions: (query: Record<string, Value> = {}) =>
    `/userCenter/order/requisition${search(query)}`,
  recurringOrders: () => '/userCenter/order/recurring',
  recurringOrder: (recurringNo: string) =>
    `/userCenter/order/recurring/${encodeURIComponent(recurringNo)}`,
  editRecurringOrder: (recurringNo: string) =>
    `/userCenter/order/recurring/${encodeURIComponent(recurringNo)}/edit`,
  newRecurringOrder: (orderNo?: string) =>
    `/userCenter/order/recurring/new${search({ OrderNo: orderNo })}`,
  quickLists: () => '/userCenter/order/quickList',
  quickList: (id: string) => `/userCenter/order/quickList/${encodeURIComponent(id)}`,
  quotations: () => '/userCenter/order/quotation',
  quotation: (quotationNo: string) =>
    `/userCenter/order/quotation/${encodeURIComponent(quotationNo)}`,
  inquiries: (query: Record<string, Value> = {}) =>
    `/userCenter/order/productInquiry${search(query)}`,
  inquiry: (wanted: { keyword?: string; quantity?: string | number } = {}) =>
    `/userCenter/order/productInquiry/apply${search(wanted)}`,
  inquiryDetail: (inquiryNo: string) =>
    `/userCenter/order/productInquiry/${encodeURIComponent(inquiryNo)}`,
  returns: (query: Record<string, Value> = {}) => `/userCenter/order/afterSales${search(query)}`,
  applyReturn: (orderNo?: string) =>
    `/userCenter/order/afterSales/apply${search({ OrderNo: orderNo })}`,
  returnOrder: (id: string) => `/userCenter/order/afterSales/${encodeURIComponent(id)}`,
  approvals: (query: Record<string, Value> = {}) => `/userCenter/order/approval${search(query)}`,
  approval: (id: string) => `/userCenter/order/approval/${encodeURIComponent(id)}`,
  budgets: () => '/userCenter/asset/budget',
  dimensionReport: () => '/userCenter/report/dimension',
  dimensions: () => '/userCenter/asset/dimension',
  report: (
    name:
      | 'Order'
      | 'OrderDetail'
      | 'Product'
      | 'Department'
      | 'Purchaser'
      | 'Brand'
      | 'Savings'
      | 'Budget',
    query: Record<string, Value> = {},
  ) => `/userCenter/report/${name.charAt(0).toLowerCase()}${name.slice(1)}${search(query)}`,
  invoiceApply: (query: Record<string, Value> = {}) => `/userCenter/invoice/index${search(query)}`,
  invoices: (query: Record<string, Value> = {}) => `/userCenter/invoice/list${search(query)}`,
  invoice: (id: string) => `/userCenter/invoice/detail${search({ Id: id })}`,
  statements: (query: Record<string, Value> = {}) =>
    `/userCenter/invoice/statement${search(query)}`,
  statement: (id: string) => `/userCenter/invoice/statement/${encodeURIComponent(id)}`,
  group: () => '/userCenter/management/group',
  departments: () => '/userCenter/management/department',
  approvalRules: () => '/userCenter/management/approval',
  accounts: (query: Record<string, Value> = {}) => `/userCenter/management/account${search(query)}`,
  roles: () => '/userCenter/management/role',
  addresses: () => '/userCenter/management/address',
  account: () => '/userCenter/user/account',
  password: () => '/userCenter/user/password',
  favorites: () => '/userCenter/user/favorite',
  browsed: () => '/userCenter/user/browse',
  reminders: () => '/userCenter/user/reminder',
  questions: () => '/userCenter/user/question',
  notices: (query: Record<string, Value> = {}) => `/userCenter/user/notice${search(query)}`,
}

export const HOME_ADDRESSES = [
  '/',
  '/cleanCookie',
  '/index',
  '/home/index',
  '/home/index.html',
  '/index.html',
] as const

export const isHome = (pathname: string): boolean =>
  (HOME_ADDRESSES as readonly string[]).includes(pathname)
