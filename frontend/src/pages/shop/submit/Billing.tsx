import type { CheckoutForm, Preview } from '@/domain/cart/checkout'
import { subtractInFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Field, Input, Select, Textarea } from '@/ui/Field'
import { HelpLink } from '@/ui/HelpLink'
import { Accounting } from './Accounting'
import { Choice, Problem } from './Choice'
import { getChosen, INVOICES, PAYMENTS, getProblem, WISHES, type Set } from './form'
import styles from './submit.module.css'

interface Option<V extends string> {
  value: V
  label: string
  hint?: string
  /** The help page with the details. */
  help?: number
}

interface ChoicesProps<V extends string> {
  field: string
  label: string
  value: string | undefined
  options: readonly Option<V>[]
  problem?: string | undefined
  onChange: (value: V) => void
}

/**
 * The credit below the payment type: the remaining credit, and the consequence if the order exceeds
 * it.
 */
function creditHint({ Credit }: Preview): string | undefined {
  if (!Credit) return undefined
  const left = subtractInFen(Credit.Available, '0.00') > 0 ? Credit.Available : '0.00'
  const creditText = `账期 ${Credit.Days} 天，额度 ${yuan(Credit.Limit)}，可用 ${yuan(left)}`
  return Credit.IsOver && Credit.Policy === 'approve'
    ? `${creditText}；本单超出额度，提交后由平台审批`
    : creditText
}

function Choices<V extends string>({
  field,
  label,
  value,
  options,
  problem,
  onChange,
}: ChoicesProps<V>) {
  const chosen = options.find((option) => option.value === value)
  return (
    <div className={styles.choices}>
      <h3>{label}</h3>
      <div role="radiogroup" aria-label={label}>
        {options.map((option) => (
          <Choice
            key={option.value}
            name={field}
            checked={option.value === value}
            onChoose={() => onChange(option.value)}
          >
            {option.label}
          </Choice>
        ))}
        <small>
          {chosen?.hint}{' '}
          {chosen?.help && <HelpLink to={paths.help(chosen.help)}>详细说明</HelpLink>}
        </small>
      </div>
      <Problem field={field} text={problem} />
    </div>
  )
}

/** The options that the buyer's company permits. */
const filterAllowed = <V extends string>(
  options: readonly Option<V>[],
  kinds: readonly string[],
): readonly Option<V>[] => options.filter(({ value }) => kinds.includes(value))

interface Props {
  form: CheckoutForm
  shown: Preview
  /** The server's errors for typed values, by field. */
  errors: Record<string, string>
  set: Set
}

/** Delivery, payment, invoice and accounting fields. */
export function Billing({ form, shown, errors, set }: Props) {
  const credit = creditHint(shown)
  const payments: readonly Option<(typeof PAYMENTS)[number]['value']>[] = filterAllowed(
    PAYMENTS,
    shown.PaymentKinds,
  ).map((option) => (credit && option.value === 'credit' ? { ...option, hint: credit } : option))
  return (
    <section className={styles.card} aria-label="配送、付款与发票">
      <header className={styles.head}>
        <h2>配送、付款与发票</h2>
        <span>预计下单后 {shown.PromisedDays} 天送达</span>
      </header>
      <Choices
        field="DeliveryWish"
        label="送货时间"
        value={form.DeliveryWish}
        options={WISHES}
        onChange={(DeliveryWish) => set({ DeliveryWish })}
      />
      <Choices
        field="PaymentKind"
        label="付款方式"
        value={form.PaymentKind ?? shown.PaymentKind}
        options={payments}
        problem={getProblem(shown, 'PaymentKind')}
        onChange={(PaymentKind) => set({ PaymentKind })}
      />
      <Choices
        field="InvoiceKind"
        label="发票种类"
        value={form.InvoiceKind ?? shown.InvoiceKind}
        options={filterAllowed(INVOICES, shown.InvoiceKinds)}
        problem={getProblem(shown, 'InvoiceKind')}
        onChange={(InvoiceKind) => set({ InvoiceKind })}
      />
      <div className={styles.fields}>
        <div id="choice-InvoiceTitleId" tabIndex={-1}>
          <Field
            label="开票抬头"
            error={getProblem(shown, 'InvoiceTitleId')}
            hint={
              <>
                {shown.InvoiceTitle && `税号 ${shown.InvoiceTitle.TaxNumber}`}{' '}
                <HelpLink to={paths.about('kpinfo')}>开票须知</HelpLink>
              </>
            }
          >
            <Select
              value={
                getChosen(form.InvoiceTitleId, shown.InvoiceTitles, shown.InvoiceTitle?.Id) ?? ''
              }
              options={shown.InvoiceTitles.map((title) => ({
                value: title.Id,
                label: title.Title,
              }))}
              onChange={(InvoiceTitleId) => set({ InvoiceTitleId })}
            />
          </Field>
        </div>
        <Accounting form={form} shown={shown} error={errors.CostCenter} set={set} />
        <Field label="采购单号" error={errors.PurchaseOrderNo} hint="选填，贵司内部的单号">
          <Input
            value={form.PurchaseOrderNo ?? ''}
            maxLength={60}
            onChange={(event) => set({ PurchaseOrderNo: event.target.value })}
          />
        </Field>
        <Field
          label="备注"
          className={styles.remark}
          error={errors.Remark}
          hint="选填，最多 300 字，审批人与客服可见"
        >
          <Textarea
            rows={2}
            value={form.Remark ?? ''}
            maxLength={300}
            onChange={(event) => set({ Remark: event.target.value })}
          />
        </Field>
      </div>
    </section>
  )
}
