import type { StatementDetail, StatementLine } from '@/domain/invoices/statements'

/** Complete answers of the server about statements. A test names only the values that it checks. */

export const statementDetail = (given: Partial<StatementDetail> = {}): StatementDetail => ({
  Id: '9',
  StatementNo: 'DZ20261101000009',
  Month: '2026-10',
  EnterpriseName: '示例公司',
  Status: 'pending',
  StatusText: '待确认',
  Opening: '76.00',
  Deliveries: '1238.50',
  Returns: '43.05',
  Invoiced: '1195.45',
  Paid: '800.00',
  Closing: '471.45',
  IssuedAt: '2026-11-01T01:00:00+08:00',
  ConfirmedAt: null,
  CreditDays: 30,
  ConfirmedBy: null,
  AsOf: null,
  Remarks: [],
  CanAnswer: true,
  Prepaid: '0.00',
  ClosingDebt: null,
  Ages: [
    { Code: 'not_due', Name: '未到期', Amount: '400.00' },
    { Code: 'up_to_30', Name: '逾期 1–30 天', Amount: '71.40' },
    { Code: 'up_to_60', Name: '逾期 31–60 天', Amount: '0.05' },
    { Code: 'up_to_90', Name: '逾期 61–90 天', Amount: '0.00' },
    { Code: 'over_90', Name: '逾期 90 天以上', Amount: '0.00' },
  ],
  ...given,
})

export const statementLine = (given: Partial<StatementLine> = {}): StatementLine => ({
  Id: '41',
  Kind: 'delivery',
  KindText: '签收',
  At: '2026-10-12T15:30:00+08:00',
  OrderNo: 'SO1',
  Reference: 'SO1',
  Text: '签字笔（110040）',
  Unit: '支',
  Quantity: 90,
  UnitPrice: '13.67',
  Amount: '1230.50',
  Tax: '141.56',
  ...given,
})
