import type { Answer } from '@/api/call'
import type { Approval, DecidedOrder, Decision } from '@/domain/approvals/approvals'
import type { Preview } from '@/domain/cart/checkout'
import type { Cart, CartLine } from '@/domain/cart/lines'
import type { InquiryDetail, InquiryLine, InquiryRow } from '@/domain/inquiries/inquiries'
import type { OrderDetail, OrderPage, OrderRow } from '@/domain/orders/orders'
import type { Workbench } from '@/domain/orders/workbench'
import { sum } from '@/lib/money'

/** Complete answers of the server. A test names only the values that it checks. */

type Given<T> = Partial<T>

export const cartLine = (given: Given<CartLine> = {}): CartLine => ({
  Id: '1',
  ProductCode: '110040',
  CustomerProductName: '签字笔',
  CustomerCode: '',
  ImageUrl: '',
  Brand: '采优选',
  Unit: '盒',
  BaseUnit: '',
  Contents: null,
  BaseUnitPrice: null,
  Quantity: 2,
  MinQuantity: 1,
  StepQuantity: 1,
  CustomerPrice: '10.00',
  SinglePrice: '10.00',
  AddedPrice: '10.00',
  Tiers: [],
  NextTier: null,
  MallPrice: '12.00',
  Amount: '20.00',
  Stock: 500,
  Selected: true,
  Valid: true,
  Problem: null,
  ...given,
})

export const cartOf = (...Lines: CartLine[]): Cart => {
  const bought = Lines.filter(({ Selected, Valid }) => Selected && Valid)
  return {
    Lines,
    Count: Lines.length,
    SelectedCount: bought.length,
    SelectedAmount: sum(bought.map(({ Amount }) => Amount ?? '0.00')),
  }
}

export const previewLine = (
  given: Given<Preview['Lines'][number]> = {},
): Preview['Lines'][number] => ({
  CartItemId: '1',
  ProductCode: '110040',
  CustomerProductName: '签字笔',
  CustomerCode: '',
  ImageUrl: '',
  Brand: '采优选',
  Unit: '盒',
  Quantity: 2,
  MinQuantity: 1,
  StepQuantity: 1,
  Stock: 500,
  CustomerPrice: '10.00',
  Amount: '20.00',
  ...given,
})

const PLACE = {
  Receiver: '林晓雨',
  Mobile: '19900000002',
  Province: '江苏省',
  City: '苏州市',
  District: '虎丘区',
  Street: '示例路 18 号',
  PostalCode: '',
}
const TITLE = {
  Id: '5',
  Title: '示例公司',
  TaxNumber: '91320500000000000R',
  Address: '',
  Phone: '',
  Bank: '',
  BankAccount: '',
}

export const previewOf = (given: Given<Preview> = {}): Preview => ({
  Lines: [previewLine()],
  LeftOut: [],
  Amounts: { Goods: '20.00', Freight: '0.00', Tax: '2.30', Total: '20.00' },
  Approval: { Needed: false, Reasons: [], Chain: [] },
  Budget: {
    Id: '9',
    Name: '行政部预算',
    Policy: 'block',
    Available: '100.00',
    After: '80.00',
    IsOver: false,
    State: 'normal',
    Parents: [],
  },
  Budgets: [{ Id: '9', Name: '行政部预算', Policy: 'block', Available: '100.00' }],
  Earmarks: [],
  Credit: {
    Limit: '500000.00',
    Used: '20000.00',
    Available: '480000.00',
    After: '479980.00',
    IsOver: false,
    Policy: 'block',
    Days: 30,
  },
  Address: { Id: '3', ...PLACE },
  LastAddressId: null,
  InvoiceTitle: TITLE,
  InvoiceTitles: [TITLE],
  PromisedDays: 3,
  PaymentKind: 'credit',
  PaymentKinds: ['credit', 'cod', 'transfer', 'online'],
  InvoiceKind: 'e_normal',
  InvoiceKinds: ['e_normal', 'e_special', 'paper_normal', 'paper_special'],
  Deliveries: [],
  Problems: [],
  ...given,
})

export const addressRow = (
  given: Given<Answer<'/api/Address'>['Items'][number]> = {},
): Answer<'/api/Address'>['Items'][number] => ({
  Id: '3',
  OwnerType: 'account',
  EnterpriseId: null,
  EnterpriseName: '',
  DepartmentId: null,
  DepartmentName: '',
  Label: '',
  ...PLACE,
  Town: '',
  UsableBy: '仅本人',
  UpdatedAt: '2026-03-05T09:00:00+08:00',
  FullText: '江苏省苏州市虎丘区示例路 18 号',
  IsDefault: true,
  CanEdit: true,
  ...given,
})

export const pageOf = <T>(
  ...Items: T[]
): { Items: T[]; Total: number; PageIndex: number; PageSize: number } => ({
  Items,
  Total: Items.length,
  PageIndex: 1,
  PageSize: 20,
})

export const orderLine = (
  given: Given<OrderRow['Lines'][number]> = {},
): OrderRow['Lines'][number] => ({
  Id: '11',
  ProductCode: '110040',
  Name: '签字笔',
  CustomerCode: '',
  Brand: '采优选',
  Model: '',
  Unit: '盒',
  ImageUrl: '',
  Quantity: 2,
  CancelledQuantity: 0,
  CancellingQuantity: 0,
  ShippedQuantity: 0,
  ReceivedQuantity: 0,
  ReturningQuantity: 0,
  ReturnedQuantity: 0,
  AppliedQuantity: 0,
  InvoicedQuantity: 0,
  UnitPrice: '10.00',
  MallPrice: '12.00',
  Amount: '20.00',
  TaxRate: '0.13',
  Tax: '2.30',
  RequisitionNo: '',
  AskedBy: '',
  CostCenter: '',
  ...given,
})

export const orderRow = (given: Given<OrderRow> = {}): OrderRow => ({
  OrderNo: 'SO1',
  Status: 'pending_confirm',
  StatusText: '待确认',
  ApprovalStatus: 'not_needed',
  ApprovalStatusText: '无需审批',
  InvoiceStatus: 'none',
  InvoiceStatusText: '未开票',
  SettlementStatus: 'none',
  SettlementStatusText: '未结算',
  AfterSalesStatus: 'none',
  AfterSalesStatusText: '无',
  PaymentKind: 'credit',
  PaymentKindText: '月结',
  Amounts: { Goods: '20.00', Freight: '0.00', Tax: '2.30', Total: '20.00' },
  CreatedAt: '2026-11-20T10:00:00+08:00',
  Requester: { Id: '7', Name: '张采购' },
  Department: '行政部',
  PurchaseOrderNo: '',
  Lines: [orderLine()],
  AllowedActions: [],
  AwaitsPayment: false,
  ...given,
})

export const orderDetail = (given: Given<OrderDetail> = {}): OrderDetail => ({
  ...orderRow(),
  Enterprise: '示例公司',
  DeliveryWish: 'any',
  DeliveryWishText: '均可',
  InvoiceKind: 'e_normal',
  InvoiceKindText: '数电普票',
  Address: PLACE,
  InvoiceTitle: TITLE,
  PromisedDays: 3,
  CostCenter: '',
  Allocations: [],
  Remark: '',
  Budget: null,
  Earmarks: [],
  ConfirmedAt: null,
  ShippedAt: null,
  CompletedAt: null,
  Shipments: [],
  Payments: [],
  PayBy: null,
  Batch: [],
  Approval: null,
  Timeline: [],
  ...given,
})

export const orderPage = (
  rows: OrderRow[] = [orderRow()],
  given: Given<OrderPage> = {},
): OrderPage => ({
  ...pageOf(...rows),
  Tabs: [
    { Code: '', Name: '全部', Count: rows.length },
    { Code: 'pending_approval', Name: '待审批', Count: 4 },
    { Code: 'rejected', Name: '审批驳回', Count: 0 },
  ],
  ...given,
})

export const approvalOf = (given: Given<Approval> = {}): Approval => ({
  Id: '21',
  Version: 1,
  SubjectType: 'order',
  SubjectNo: 'SO1',
  Status: 'pending',
  StatusText: '审批中',
  Requester: { Id: '7', Name: '张采购' },
  Department: '行政部',
  Amount: '5422.30',
  Reasons: ['订单金额达到 ¥2,000.00'],
  CreatedAt: '2026-11-20T10:00:00+08:00',
  DecidedAt: null,
  Steps: [
    {
      No: 1,
      RuleName: '部门负责人审批',
      Mode: 'any',
      Status: 'active',
      StatusText: '审批中',
      AskedAt: null,
      ForStaff: false,
      AddedBy: null,
      Note: '',
      Tasks: [
        {
          Approver: { Id: '8', Name: '周主任' },
          ActingFor: null,
          Status: 'pending',
          StatusText: '待审批',
          At: null,
          ArrivedAt: '2026-11-20T10:00:00+08:00',
          EscalatedFrom: null,
          AddedBy: null,
          Comment: '',
        },
      ],
    },
  ],
  AllowedActions: ['approve', 'reject'],
  Waiting: { Hours: 6.5, Text: '6 工作小时', IsOverdue: false },
  CanUrge: false,
  ...given,
})

export const decidedOrder = (given: Given<DecidedOrder> = {}): DecidedOrder => ({
  OrderNo: 'SO1',
  SubmittedAt: '2026-11-20T10:00:00+08:00',
  Goods: '5422.30',
  Freight: '0.00',
  PaymentKindText: '月结',
  CostCenter: '',
  Allocations: [],
  PurchaseOrderNo: '',
  Remark: '',
  Lines: [
    {
      Id: '1',
      ProductCode: '700001',
      Name: '签字笔',
      MallName: '签字笔',
      Brand: '采优选',
      ImageUrl: '',
      Unit: '支',
      Quantity: 10,
      MinQuantity: 1,
      StepQuantity: 1,
      UnitPrice: '10.00',
      MallPrice: '12.50',
      Amount: '100.00',
      RequisitionNo: '',
      AskedBy: '',
      CostCenter: '',
      Last: { At: '2026-02-03T10:00:00+08:00', Quantity: 3, UnitPrice: '8.00' },
    },
  ],
  Budget: null,
  Earmarks: [],
  Month: { Orders: 0, Amount: '0.00', InApproval: 0 },
  Receiver: '林晓雨',
  Address: '江苏省苏州市',
  Batch: [],
  ...given,
})

export const decisionOf = (given: Given<Decision> = {}): Decision => ({
  Approval: approvalOf(),
  Order: decidedOrder(),
  StandIns: [],
  Amendments: [],
  Copies: [],
  Discussion: [],
  Above: null,
  Below: null,
  ...given,
})

export const inquiryLine = (given: Given<InquiryLine> = {}): InquiryLine => ({
  Id: '31',
  Name: '定制钢笔',
  Spec: '刻字',
  Quantity: 10,
  Unit: '支',
  TargetPrice: '8.00',
  Product: null,
  QuotedPrice: null,
  PriceBefore: null,
  Note: '',
  ...given,
})

export const quotedLine = (given: Given<InquiryLine> = {}): InquiryLine =>
  inquiryLine({
    Product: {
      ProductCode: '700001',
      Name: '签字笔',
      Brand: '墨岚',
      Unit: '支',
      ImageUrl: '',
      MallPrice: '12.00',
      MinQuantity: 6,
      StepQuantity: 6,
      Stock: 100,
    },
    QuotedPrice: '7.50',
    PriceBefore: '12.00',
    ...given,
  })

export const inquiryRow = (given: Given<InquiryRow> = {}): InquiryRow => ({
  InquiryNo: 'XJ1',
  Status: 'pending',
  StatusText: '待报价',
  CreatedAt: '2026-11-20T10:00:00+08:00',
  Requester: { Id: '7', Name: '张采购' },
  Department: '行政部',
  NeedBy: null,
  QuotedAt: null,
  ValidTo: null,
  HasExpired: false,
  CloseReason: '',
  Unread: 0,
  Lines: [inquiryLine()],
  AllowedActions: ['close', 'message'],
  ...given,
})

export const inquiryDetail = (given: Given<InquiryDetail> = {}): InquiryDetail => ({
  ...inquiryRow(),
  Enterprise: '示例公司',
  Category: '',
  Remark: '',
  QuoteNote: '',
  Pictures: [],
  Messages: [],
  Timeline: [],
  ...given,
})

export const quotedInquiry = (given: Given<InquiryDetail> = {}): InquiryDetail =>
  inquiryDetail({
    Status: 'quoted',
    StatusText: '已报价',
    QuotedAt: '2026-11-21T10:00:00+08:00',
    ValidTo: '2026-12-21',
    Lines: [quotedLine()],
    AllowedActions: ['adopt', 'ask_again', 'close', 'message'],
    ...given,
  })

export const workbenchOf = (given: Given<Workbench> = {}): Workbench => ({
  Counts: {
    PendingApproval: 3,
    RequisitionsToOrder: null,
    PartlyShipped: 0,
    PendingReceipt: 2,
    PendingPayment: 0,
    PendingShipment: 1,
    OwnInApproval: 1,
    ToReview: 0,
    QuotedInquiries: 1,
    LateApproval: 0,
    LateApprovals: null,
    PeopleWithoutRole: null,
    RulesWithDisabled: null,
    TransfersToDecide: null,
    ReturnsToSend: 0,
    ReturnsToConfirm: 0,
    OrdersToInvoice: 0,
  },
  Scope: 'own',
  ScopeText: '仅本人',
  States: [
    { Status: 'pending_approval', Count: 1 },
    { Status: 'pending_receipt', Count: 2 },
  ],
  Spend: { Months: spendMonths(), Before: '400.00', BeforeTo: '2026-10-22' },
  Budgets: [],
  BudgetTotals: { Count: 0, Near: 0, Full: 0 },
  RecentOrders: [],
  FrequentlyBought: [],
  PurchasedCategories: [],
  Shortcuts: {
    Chosen: ['orders', 'select'],
    Allowed: ['orders', 'select', 'budgets'],
    IsArranged: false,
  },
  ...given,
})

/** December to November, 100.00 more and one order more each month. */
export const spendMonths = (): NonNullable<Workbench['Spend']>['Months'] =>
  Array.from({ length: 12 }, (_, index) => ({
    Month: index ? `2026-${String(index).padStart(2, '0')}-01` : '2025-12-01',
    Amount: `${index * 100}.00`,
    Orders: index,
  }))

type Shortage = Answer<'/api/Product/Shortages'>[number]

const productRow = (given: Partial<Shortage['Product']>): Shortage['Product'] => ({
  ProductCode: '110001',
  ImageUrl: '',
  CustomerProductName: '中性笔',
  CustomerCode: '',
  CustomerPrice: '1.50',
  MallPrice: '2.00',
  IsAgreementPrice: false,
  Brand: '卓砚',
  ModelCode: '',
  Pack: '',
  Unit: '盒',
  BaseUnit: '',
  Contents: null,
  BaseUnitPrice: null,
  Tiers: [],
  MinQuantity: 1,
  StepQuantity: 1,
  Stock: 0,
  LeadDays: 1,
  SalesCount: 0,
  Rating: null,
  ReviewCount: 0,
  IsOnSale: true,
  ...given,
})

/** A product that is short, with one substitute, of which ten take its place. */
export const shortage = (given: Partial<Shortage['Product']>): Shortage => ({
  Product: productRow(given),
  ArrivesOn: '2026-12-01',
  Arriving: 200,
  IsReminded: false,
  Substitutes: [
    {
      ...productRow({
        ProductCode: '110077',
        CustomerProductName: `替代${given.CustomerProductName}`,
        MinQuantity: 5,
        StepQuantity: 5,
        Stock: 100,
      }),
      Differences: [{ Name: '包装规格', Value: '36支/盒', Own: '12支/盒' }],
      Quantity: 10,
    },
  ],
})
