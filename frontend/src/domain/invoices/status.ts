import { prependBrand } from '@/lib/productTitle'
import type { Tone } from '@/ui/Small'
import type { ApplicationRow, InvoiceDetail, InvoiceRow, InvoiceTitle, MarkKind } from './invoices'

const APPLICATION: Record<ApplicationRow['Status'], { tone: Tone; means: string }> = {
  pending: { tone: 'warn', means: '平台正在审核，一般 1 个工作日内完成；审核前可以撤回' },
  accepted: { tone: 'brand', means: '审核已通过，等待开具；开具前仍可撤回' },
  issuing: { tone: 'brand', means: '正在开具，全部开具后会通知您' },
  issued: { tone: 'good', means: '发票已全部开具，可在下方下载' },
  rejected: {
    tone: 'bad',
    means: '申请已驳回，所占数量已退回可开票清单，请按驳回原因修改后重新申请',
  },
  withdrawn: { tone: 'plain', means: '申请已撤回，所占数量已退回可开票清单，可重新申请' },
}

const INVOICE: Record<InvoiceRow['Status'], { tone: Tone; means: string }> = {
  planned: { tone: 'warn', means: '等待开具' },
  issuing: { tone: 'brand', means: '已提交开票平台，正在开具' },
  failed: { tone: 'bad', means: '开具未成功，平台会重新开具，无需您操作' },
  issued: { tone: 'good', means: '已开具，可下载文件' },
  partly_red: { tone: 'warn', means: '部分金额已红冲，其余仍有效' },
  red: { tone: 'plain', means: '已全部红冲，本发票不再有效，对应数量可重新申请' },
  void: { tone: 'plain', means: '未开具' },
}

const RED: Record<string, Tone> = {
  awaits_seller: 'warn',
  awaits_buyer: 'warn',
  confirmed: 'brand',
  issued: 'good',
  refused: 'bad',
}

const MARK: Record<MarkKind, { text: string; tone: Tone }> = {
  verified: { text: '已验真', tone: 'brand' },
  booked: { text: '已入账', tone: 'good' },
  deducted: { text: '已抵扣', tone: 'good' },
  problem: { text: '有问题', tone: 'bad' },
}

export const MARK_KINDS = (Object.keys(MARK) as MarkKind[]).map((value) => ({
  value,
  label: MARK[value].text,
}))
export const markTone = (kind: MarkKind): Tone => MARK[kind].tone
export const markText = (kind: MarkKind): string => MARK[kind].text

export const applicationTone = (status: ApplicationRow['Status']): Tone => APPLICATION[status].tone
export const applicationMeans = (status: ApplicationRow['Status']): string =>
  APPLICATION[status].means
export const invoiceTone = ({ Status, IsRed }: Pick<InvoiceRow, 'Status' | 'IsRed'>): Tone =>
  IsRed && Status === 'issued' ? 'bad' : INVOICE[Status].tone
export const redTone = (status: string): Tone => RED[status] ?? 'plain'

/** Explain the state of an invoice in one sentence. */
export function invoiceMeans({
  Status,
  IsRed,
  Failure,
  OriginalNo,
}: Pick<InvoiceDetail, 'Status' | 'IsRed' | 'Failure' | 'OriginalNo'>): string {
  if (IsRed)
    return Status === 'issued'
      ? `红字发票，冲减蓝字发票 ${OriginalNo ?? ''}`
      : `红字发票，待开具，将冲减蓝字发票 ${OriginalNo ?? ''}`
  return Status === 'failed' && Failure
    ? `${INVOICE.failed.means}。失败原因：${Failure}`
    : INVOICE[Status].means
}

export const KINDS = [
  { value: 'e_normal', label: '数电普票' },
  { value: 'e_special', label: '数电专票' },
  { value: 'paper_normal', label: '纸质普票' },
  { value: 'paper_special', label: '纸质专票' },
] as const

export const RED_REASONS = [
  { value: '01', label: '开票有误', hint: '抬头、税号、商品或金额开错' },
  { value: '02', label: '销货退回', hint: '商品已退货' },
  { value: '03', label: '服务中止', hint: '服务未继续提供' },
  { value: '04', label: '销售折让', hint: '协商后降低价格' },
] as const

type Qualified = Pick<InvoiceTitle, 'HasSpecialQualification' | 'Qualification'>

/** The 专票资质 of a title: its state and the next step. */
export function getQualification({ HasSpecialQualification, Qualification }: Qualified): {
  text: string
  tone: Tone
  means: string
  mayApply: boolean
} {
  if (HasSpecialQualification)
    return { text: '可开专票', tone: 'good', means: '专票资质已通过', mayApply: false }
  if (Qualification?.Status === 'pending')
    return {
      text: '专票资质审核中',
      tone: 'warn',
      means: '平台正在审核，结果会通知您',
      mayApply: false,
    }
  if (Qualification?.Status === 'refused')
    return {
      text: '专票资质未通过',
      tone: 'bad',
      means: `未通过原因：${Qualification.Reason || '未说明'}，请补充材料后重新提交`,
      mayApply: true,
    }
  if (Qualification?.Status === 'lapsed')
    return {
      text: '专票资质已失效',
      tone: 'warn',
      means: '抬头信息修改后资质失效，请重新提交',
      mayApply: true,
    }
  return {
    text: '仅可开普票',
    tone: 'plain',
    means: '开具专票需先提交专票资质（营业执照、一般纳税人证明等）',
    mayApply: true,
  }
}

/** The fields that a special invoice requires and this title lacks. */
export const getMissing = (title: InvoiceTitle): string[] =>
  (
    [
      ['TaxNumber', '税号'],
      ['Address', '地址'],
      ['Phone', '电话'],
      ['Bank', '开户行'],
      ['BankAccount', '账号'],
    ] as const
  )
    .filter(([field]) => !title[field])
    .map(([, label]) => label)

/** "0.13" → "13%". */
export const rateText = (rate: string): string => `${Number((Number(rate) * 100).toFixed(2))}%`

/** The product of an invoice line, by the name that the customer uses. */
export const getInvoiceLineTitle = ({
  Brand,
  CustomerName,
  Name,
}: InvoiceDetail['Lines'][number]): string => prependBrand(Brand, CustomerName || Name)
