import { type InvoiceOptions, type InvoiceTitle, type PlanBody } from '@/domain/invoices/invoices'
import { getBody, type Selection } from './selection'

export interface ApplyForm {
  Kind: PlanBody['Kind']
  /** Empty: the title of each order. */
  TitleId: string
  Grouping: NonNullable<PlanBody['Grouping']>
  SplitByTaxRate: boolean
  /** As typed. Empty: the platform's limit. */
  AmountLimit: string
  Email: string
  AddressId: string
  Remark: string
}

/**
 * The initial form: the enterprise's first kind, its default title, and as few invoices as
 * possible.
 */
export const firstForm = (options: InvoiceOptions, titles: readonly InvoiceTitle[]): ApplyForm => ({
  Kind: (options.Kinds[0]?.Code ?? 'e_normal') as PlanBody['Kind'],
  TitleId: titles.find(({ IsActive, IsDefault }) => IsActive && IsDefault)?.Id ?? '',
  Grouping: 'merged',
  SplitByTaxRate: false,
  AmountLimit: '',
  Email: options.Email,
  AddressId: '',
  Remark: '',
})

const LIMIT = /^\d{1,9}(\.\d{1,2})?$/

/** The error of a typed limit, or null. */
export const limitRefusal = (typed: string): string | null =>
  !typed || (LIMIT.test(typed) && Number(typed) >= 1) ? null : '请填写不小于 1 的金额，最多两位小数'

/** The fields that decide the split. */
export const planBody = (
  form: ApplyForm,
  selection: Selection,
  enterpriseId: string | undefined,
): PlanBody => ({
  ...getBody(selection),
  ...(enterpriseId ? { EnterpriseId: enterpriseId } : {}),
  Kind: form.Kind,
  TitleId: form.TitleId || null,
  Grouping: form.Grouping,
  SplitByTaxRate: form.SplitByTaxRate,
  AmountLimit: form.AmountLimit && !limitRefusal(form.AmountLimit) ? form.AmountLimit : null,
})
