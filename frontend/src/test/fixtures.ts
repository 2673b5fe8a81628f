import type { Answer } from '@/api/call'
import type { Approval } from '@/domain/approvals/approvals'
import type { Preview } from '@/domain/cart/checkout'
import type { Cart, CartLine } from '@/domain/cart/lines'
import type { OrderDetail, OrderPage, OrderRow } from '@/domain/orders/orders'
import type { Workbench } from '@/domain/orders/workbench'
import { sum } from '@/lib/money'

/** What the server answers, complete; a test names only what it is about. */

type Given<T> = Partial<T>

export const cartLine = (given: Given<CartLine> = {}): CartLine => ({
  Id: '1', ProductCode: '110040', CustomerProductName: '签字笔', CustomerCode: '', ImageUrl: '', Brand: '采优选', Unit: '盒', Quantity: 2, MinQuantity: 1, StepQuantity: 1,
  CustomerPrice: '10.00', AddedPrice: '10.00', MallPrice: '12.00', Amount: '20.00', Stock: 500, Selected: true, Valid: true, Problem: null, ...given,
})

export const cartOf = (...Lines: CartLine[]): Cart => {
  const bought = Lines.filter(({ Selected, Valid }) => Selected && Valid)
  return { Lines, Count: Lines.length, SelectedCount: bought.length, SelectedAmount: sum(bought.map(({ Amount }) => Amount ?? '0.00')) }
}

export const previewLine = (given: Given<Preview['Lines'][number]> = {}): Preview['Lines'][number] => ({
  CartItemId: '1', ProductCode: '110040', CustomerProductName: '签字笔', CustomerCode: '', ImageUrl: '', Unit: '盒', Quantity: 2, MinQuantity: 1, StepQuantity: 1, Stock: 500, CustomerPrice: '10.00', Amount: '20.00', ...given,
})

const PLACE = { Receiver: '林晓雨', Mobile: '19900000002', Province: '江苏省', City: '苏州市', District: '虎丘区', Street: '示例路 18 号', PostalCode: '' }
const TITLE = { Id: '5', Title: '示例公司', TaxNumber: '91320500000000000R', Address: '', Phone: '', Bank: '', BankAccount: '' }

export const previewOf = (given: Given<Preview> = {}): Preview => ({
  Lines: [previewLine()],
  LeftOut: [],
  Amounts: { Goods: '20.00', Freight: '0.00', Tax: '2.30', Total: '20.00' },
  Approval: { Needed: false, Reasons: [], Chain: [] },
  Budget: { Id: '9', Name: '行政部预算', Policy: 'block', Available: '100.00', After: '80.00', IsOver: false },
  Budgets: [{ Id: '9', Name: '行政部预算', Policy: 'block', Available: '100.00' }],
  Address: { Id: '3', ...PLACE },
  InvoiceTitle: TITLE,
  InvoiceTitles: [TITLE],
  PromisedDays: 3,
  Problems: [],
  ...given,
})

export const addressRow = (given: Given<Answer<'/api/Address'>['Items'][number]> = {}): Answer<'/api/Address'>['Items'][number] => ({
  Id: '3', OwnerType: 'account', EnterpriseId: null, EnterpriseName: '', DepartmentId: null, DepartmentName: '', Label: '', ...PLACE, FullText: '江苏省苏州市虎丘区示例路 18 号', IsDefault: true, CanEdit: true, ...given,
})

export const pageOf = <T>(...Items: T[]): { Items: T[]; Total: number; PageIndex: number; PageSize: number } => ({ Items, Total: Items.length, PageIndex: 1, PageSize: 20 })

export const orderLine = (given: Given<OrderRow['Lines'][number]> = {}): OrderRow['Lines'][number] => ({
  Id: '11', ProductCode: '110040', Name: '签字笔', CustomerCode: '', Brand: '采优选', Model: '', Unit: '盒', ImageUrl: '', Quantity: 2, ShippedQuantity: 0, ReceivedQuantity: 0, ReturningQuantity: 0, InvoicedQuantity: 0,
  UnitPrice: '10.00', MallPrice: '12.00', Amount: '20.00', TaxRate: '0.13', Tax: '2.30', ...given,
})

export const orderRow = (given: Given<OrderRow> = {}): OrderRow => ({
  OrderNo: 'SO1', Status: 'pending_confirm', StatusText: '待确认', ApprovalStatus: 'not_needed', ApprovalStatusText: '无需审批', InvoiceStatus: 'none', InvoiceStatusText: '未开票', SettlementStatus: 'none', SettlementStatusText: '未结算',
  AfterSalesStatus: 'none', AfterSalesStatusText: '无', PaymentKind: 'credit', PaymentKindText: '月结', Amounts: { Goods: '20.00', Freight: '0.00', Tax: '2.30', Total: '20.00' },
  CreatedAt: '2026-11-20T10:00:00+08:00', Requester: { Id: '7', Name: '张采购' }, Department: '行政部', PurchaseOrderNo: '', Lines: [orderLine()], AllowedActions: [], AwaitsPayment: false, ...given,
})

export const orderDetail = (given: Given<OrderDetail> = {}): OrderDetail => ({
  ...orderRow(), Enterprise: '示例公司', DeliveryWish: 'any', DeliveryWishText: '均可', InvoiceKind: 'e_normal', InvoiceKindText: '数电普票', Address: PLACE, InvoiceTitle: TITLE, PromisedDays: 3, CostCenter: '', Remark: '',
  Budget: null, ConfirmedAt: null, ShippedAt: null, CompletedAt: null, Shipments: [], Payments: [], PayBy: null, Approval: null, Timeline: [], ...given,
})

export const orderPage = (rows: OrderRow[] = [orderRow()], given: Given<OrderPage> = {}): OrderPage => ({
  ...pageOf(...rows),
  Tabs: [{ Code: '', Name: '全部', Count: rows.length }, { Code: 'pending_approval', Name: '待审批', Count: 4 }, { Code: 'rejected', Name: '审批驳回', Count: 0 }],
  ...given,
})

export const approvalOf = (given: Given<Approval> = {}): Approval => ({
  Id: '21', SubjectType: 'order', SubjectNo: 'SO1', Status: 'pending', StatusText: '审批中', Requester: { Id: '7', Name: '张采购' }, Department: '行政部', Amount: '5422.30', Reasons: ['订单金额达到 ¥2,000.00'], CreatedAt: '2026-11-20T10:00:00+08:00', DecidedAt: null,
  Steps: [{ No: 1, RuleName: '部门负责人审批', Mode: 'any', Status: 'active', StatusText: '审批中', ForStaff: false, Note: '', Tasks: [{ Approver: { Id: '8', Name: '周主任' }, ActingFor: null, Status: 'pending', StatusText: '待审批', At: null, Comment: '' }] }],
  AllowedActions: ['approve', 'reject'], ...given,
})

export const workbenchOf = (given: Given<Workbench> = {}): Workbench => ({
  Counts: { PendingApproval: 3, PendingReceipt: 2, PendingPayment: 0, PendingShipment: 1, OwnInApproval: 1 }, Budgets: [], RecentOrders: [], FrequentlyBought: [], ...given,
})
