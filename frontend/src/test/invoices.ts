import type { ApplicationDetail, AvailableRow, InvoiceDetail, InvoiceOptions, InvoiceTitle, Plan } from '@/domain/invoices/invoices'

/** What the server answers about invoices, complete; a test names only what it is about. */

export const availableRow = (given: Partial<AvailableRow> = {}): AvailableRow => ({
  Kind: 'line', OrderLineId: '11', OrderNo: 'SO1', OrderedAt: '2026-11-05T09:00:00+08:00', PurchaseOrderNo: '', Department: '行政部', Requester: { Id: '7', Name: '张采购' }, InvoiceTitle: '示例公司', InvoiceKind: 'e_normal',
  ProductCode: '110040', Name: '签字笔', Model: 'K35', Unit: '盒', TaxRate: '0.13', UnitPrice: '14.35', ReceivedQuantity: 10, ReturnedQuantity: 1, AppliedQuantity: 2, InvoicedQuantity: 0, AvailableQuantity: 7, Amount: '100.45', ...given,
})

export const freightRow = (given: Partial<AvailableRow> = {}): AvailableRow =>
  availableRow({ Kind: 'freight', OrderLineId: null, ProductCode: '', Name: '运费', Model: '', Unit: '次', TaxRate: '', UnitPrice: '8.00', ReceivedQuantity: 1, ReturnedQuantity: 0, AppliedQuantity: 0, AvailableQuantity: 1, Amount: '8.00', ...given })

export const invoiceTitle = (given: Partial<InvoiceTitle> = {}): InvoiceTitle => ({
  Id: '5', EnterpriseId: '1', EnterpriseName: '示例公司', Title: '示例公司', TaxNumber: '91320500000000000R', Address: '示例路 18 号', Phone: '0512-1', Bank: '示例银行', BankAccount: '622', IsDefault: true, IsActive: true, HasSpecialQualification: false, Qualification: null,
  UpdatedAt: '2026-11-01T09:00:00+08:00', ...given,
})

export const optionsOf = (given: Partial<InvoiceOptions> = {}): InvoiceOptions => ({
  Enterprises: [{ Id: '1', Name: '示例公司' }],
  Departments: [{ Id: '2', Name: '行政部' }],
  Kinds: [{ Code: 'e_normal', Name: '数电普票', IsSpecial: false, IsPaper: false }, { Code: 'e_special', Name: '数电专票', IsSpecial: true, IsPaper: false }, { Code: 'paper_normal', Name: '纸质普票', IsSpecial: false, IsPaper: true }],
  Email: 'buyer@example.com', AmountLimit: '100000.00', MaxLines: 5000, CanKeepTitles: true, ...given,
})

export const planOf = (given: Partial<Plan> = {}): Plan => ({
  Enterprise: { Id: '1', Name: '示例公司' }, InvoiceCount: 1, LineCount: 1, Net: '38.10', Tax: '4.95', Total: '43.05', AmountLimit: '100000.00',
  Invoices: [{
    No: 1, TitleId: '5', Title: '示例公司', TaxNumber: '91320500000000000R', Amount: '43.05', Net: '38.10', Tax: '4.95', Capitals: '肆拾叁元零伍分', LineCount: 1, OrderNos: ['SO1'],
    Lines: [{ OrderNo: 'SO1', OrderLineId: '11', Name: '签字笔', Model: 'K35', Unit: '盒', Quantity: 3, UnitPrice: '14.35', Amount: '43.05', Net: '38.10', TaxRate: '0.13', Tax: '4.95' }],
  }],
  ...given,
})

const ROW = {
  Id: '21', RequestNo: 'IR21', InvoiceCode: '', InvoiceNo: '26322000000000000021', ApplicationNo: 'IA1', Applicant: { Id: '7', Name: '张采购' }, Enterprise: '示例公司', Kind: 'e_normal', KindText: '数电普票',
  Status: 'issued', StatusText: '已开具', IsRed: false, Title: '示例公司', Amount: '1409.50', Net: '1247.35', Tax: '162.15', RedAmount: '0.00', IssuedAt: '2026-11-20T10:00:00+08:00', Failure: '',
  OriginalId: null, OriginalNo: null, LineCount: 2, Formats: ['pdf', 'xml'], AllowedActions: ['red'],
} as const

const PARTY = { Name: '示例公司', TaxNumber: '91320500000000000R', Address: '示例路 18 号', Phone: '0512-1', Bank: '示例银行', BankAccount: '622' }

export const invoiceDetail = (given: Partial<InvoiceDetail> = {}): InvoiceDetail => ({
  ...ROW, Formats: [...ROW.Formats], AllowedActions: [...ROW.AllowedActions], Capitals: '壹仟肆佰零玖元伍角', Buyer: PARTY, Seller: { ...PARTY, Name: '文采商城' }, Remark: '',
  Delivery: { Way: 'mail', WayText: '电子邮件', Email: 'buyer@example.com', MailedAt: null, Address: {}, Carrier: '', TrackingNo: '', SentAt: null },
  Lines: [
    { Id: '31', No: 1, OrderNo: 'SO1', OrderLineId: '11', Name: '签字笔', Model: 'K35', Unit: '盒', TaxCode: '1060408990000000000', Quantity: 90, RedQuantity: 0, UnitPrice: '14.35', Amount: '1291.50', Net: '1142.92', TaxRate: '0.13', Tax: '148.58' },
    { Id: '32', No: 2, OrderNo: 'SO2', OrderLineId: '12', Name: '复印纸', Model: '', Unit: '包', TaxCode: '1060105990000000000', Quantity: 5, RedQuantity: 1, UnitPrice: '23.60', Amount: '118.00', Net: '104.43', TaxRate: '0.13', Tax: '13.57' },
  ],
  RedLetters: [], RedInvoices: [], Timeline: [], ...given,
})

export const applicationDetail = (given: Partial<ApplicationDetail> = {}): ApplicationDetail => ({
  ApplicationNo: 'IA1', Status: 'pending', StatusText: '待审核', Kind: 'e_normal', KindText: '数电普票', Applicant: { Id: '7', Name: '张采购' }, Enterprise: '示例公司', Title: '示例公司', Amount: '43.05', Tax: '4.95', LineCount: 1, InvoiceCount: 1,
  SubmittedAt: '2026-11-20T09:00:00+08:00', DecidedAt: null, FinishedAt: null, Reason: '', AllowedActions: ['withdraw'], Grouping: 'merged', GroupingText: '合并开票', SplitByTaxRate: false, AmountLimit: null,
  Delivery: 'mail', DeliveryText: '电子邮件', Email: 'buyer@example.com', Address: {}, Remark: '', Invoices: [], Timeline: [], ...given,
})
