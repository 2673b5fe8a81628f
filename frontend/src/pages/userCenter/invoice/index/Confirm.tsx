import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldMessages, isApiError } from '@/api/errors'
import {
  invoiceOptions,
  plan,
  titles,
  useApply,
  type InvoiceOptions,
  type InvoiceTitle,
} from '@/domain/invoices/invoices'
import { yuan } from '@/lib/money'
import { useSettled } from '@/lib/useSettled'
import { Button } from '@/ui/Button'
import { Checkbox, Radio } from '@/ui/Choice'
import { Field, Input, Textarea } from '@/ui/Field'
import { Empty, ErrorState, Loading } from '@/ui/States'
import styles from './apply.module.css'
import { Delivery } from './Delivery'
import { Done } from './Done'
import { firstForm, limitRefusal, planBody, type ApplyForm } from './form'
import { Preview } from './Preview'
import type { Selection } from './selection'
import { TitleChoice } from './TitleChoice'

interface Props {
  selection: Selection
  enterpriseId: string | undefined
  onBack: () => void
  onTitles: () => void
  onDone: () => void
}

interface Parting {
  form: ApplyForm
  options: InvoiceOptions
  onChange: (change: Partial<ApplyForm>) => void
}

/** How the selected goods are split into invoices. */
function PartingFields({ form, options, onChange }: Parting) {
  return (
    <fieldset>
      <legend>合并与拆分</legend>
      <div className={styles.choices}>
        <Radio
          name="Grouping"
          checked={form.Grouping === 'merged'}
          onChange={() => onChange({ Grouping: 'merged' })}
        >
          合并开票
        </Radio>
        <Radio
          name="Grouping"
          checked={form.Grouping === 'by_order'}
          onChange={() => onChange({ Grouping: 'by_order' })}
        >
          按订单分别开票
        </Radio>
        <Checkbox
          checked={form.SplitByTaxRate}
          onChange={(SplitByTaxRate) => onChange({ SplitByTaxRate })}
        >
          不同税率分开
        </Checkbox>
      </div>
      <Field
        label="单张限额（元）"
        error={limitRefusal(form.AmountLimit)}
        hint={`不填按平台上限 ${yuan(options.AmountLimit)}`}
      >
        <Input
          inputMode="decimal"
          maxLength={12}
          value={form.AmountLimit}
          onChange={(event) => onChange({ AmountLimit: event.target.value.trim() })}
        />
      </Field>
    </fieldset>
  )
}

/**
 * Why there is no preview: after a refusal the person changes the form or the selection, after a
 * failure the person retries.
 */
function NoPreview({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const message =
    isApiError(error) && error.status === 200
      ? (Object.values(fieldMessages(error))[0] ?? error.message)
      : null
  return message ? (
    <Empty title="暂不能生成发票预览" icon="invoice">
      {message}
    </Empty>
  ) : (
    <ErrorState error={error} onRetry={onRetry} />
  )
}

interface FillProps extends Props {
  options: InvoiceOptions
  rows: readonly InvoiceTitle[]
}

function Fill({ options, rows, selection, enterpriseId, onBack, onTitles, onDone }: FillProps) {
  const [form, setForm] = useState(() => firstForm(options, rows))
  const change = (changed: Partial<ApplyForm>): void => setForm((now) => ({ ...now, ...changed }))
  const limit = useSettled(form.AmountLimit, 400)
  const body = planBody({ ...form, AmountLimit: limit }, selection, enterpriseId)
  const preview = useQuery(plan(body))
  const apply = useApply()
  const kind = options.Kinds.find(({ Code }) => Code === form.Kind)
  const isPaper = kind?.IsPaper ?? false
  const errors = { ...fieldMessages(preview.error), ...fieldMessages(apply.error) }
  const refusal =
    isApiError(apply.error) && !Object.keys(apply.error.fields).length ? apply.error.message : null
  const isReady =
    Boolean(preview.data) &&
    !preview.isPlaceholderData &&
    !preview.error &&
    !limitRefusal(form.AmountLimit) &&
    limit === form.AmountLimit
  const send = (event: React.FormEvent): void => {
    event.preventDefault()
    if (!isReady || !preview.data) return
    const where = isPaper ? { AddressId: form.AddressId } : { Email: form.Email.trim() }
    // After a refusal the available goods may have changed, so reload the preview.
    apply.mutate(
      { ...body, ...where, Total: preview.data.Total, Remark: form.Remark.trim() },
      { onError: () => void preview.refetch() },
    )
  }
  if (apply.data) return <Done application={apply.data} onMore={onDone} />
  return (
    <div className={styles.confirm}>
      <form className={styles.form} onSubmit={send} noValidate>
        <fieldset>
          <legend>发票种类</legend>
          <div className={styles.choices}>
            {options.Kinds.map(({ Code, Name }) => (
              <Radio
                key={Code}
                name="Kind"
                checked={form.Kind === Code}
                onChange={() => change({ Kind: Code as ApplyForm['Kind'] })}
              >
                {Name}
              </Radio>
            ))}
          </div>
          {errors.Kind && (
            <p className={styles.refusal} role="alert">
              {errors.Kind}
            </p>
          )}
        </fieldset>
        <TitleChoice
          titles={rows}
          value={form.TitleId}
          isSpecial={kind?.IsSpecial ?? false}
          error={errors.TitleId}
          onChange={(TitleId) => change({ TitleId })}
          onTitles={onTitles}
        />
        <PartingFields form={form} options={options} onChange={change} />
        <Delivery form={form} isPaper={isPaper} errors={errors} onChange={change} />
        <Field label="发票备注" error={errors.Remark} hint="打印在发票备注栏，最多 200 字">
          <Textarea
            rows={2}
            maxLength={200}
            value={form.Remark}
            onChange={(event) => change({ Remark: event.target.value })}
          />
        </Field>
        {refusal && (
          <p className={styles.refusal} role="alert">
            {refusal}
          </p>
        )}
        <div className={styles.buttons}>
          <Button type="submit" look="primary" disabled={!isReady} loading={apply.isPending}>
            提交申请
          </Button>
          <Button onClick={onBack}>返回修改商品</Button>
        </div>
      </form>
      {preview.data && !preview.error && (
        <Preview plan={preview.data} isStale={preview.isPlaceholderData} />
      )}
      {preview.error && <NoPreview error={preview.error} onRetry={() => void preview.refetch()} />}
      {!preview.data && !preview.error && <Loading height={420} />}
    </div>
  )
}

/** The second step: title, kind and split, with a preview of the invoices. */
export default function Confirm(props: Props) {
  const options = useQuery(invoiceOptions)
  const rows = useQuery(titles(props.enterpriseId))
  const failed = options.error ?? rows.error
  if (failed && !(options.data && rows.data))
    return (
      <ErrorState
        error={failed}
        onRetry={() => {
          void options.refetch()
          void rows.refetch()
        }}
      />
    )
  if (!options.data || !rows.data) return <Loading height={520} />
  return <Fill {...props} options={options.data} rows={rows.data.Items} />
}
