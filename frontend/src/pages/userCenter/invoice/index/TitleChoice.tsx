import type { InvoiceTitle } from '@/domain/invoices/invoices'
import { getMissing, getQualification } from '@/domain/invoices/status'
import { Button } from '@/ui/Button'
import { Field, Select } from '@/ui/Field'
import styles from './apply.module.css'

interface Props {
  titles: readonly InvoiceTitle[]
  value: string
  isSpecial: boolean
  error: string | undefined
  onChange: (id: string) => void
  onTitles: () => void
}

/** Why this title cannot have a special invoice, and how to correct it. */
function Hindrance({ title, onTitles }: { title: InvoiceTitle; onTitles: () => void }) {
  const { means, mayApply } = getQualification(title)
  const missing = getMissing(title)
  if (title.HasSpecialQualification && !missing.length) return null
  return (
    <div className={styles.note} role="status">
      <span>
        {title.HasSpecialQualification
          ? `专票须填写${missing.join('、')}，请先补全抬头`
          : `${means}。也可改开普票。`}
      </span>
      {(mayApply || missing.length > 0) && (
        <Button size="s" look="text" onClick={onTitles}>
          {title.HasSpecialQualification ? '去补全抬头' : '去提交专票资质'}
        </Button>
      )}
    </div>
  )
}

/** The title of the invoices: one for all, or the title of each order. */
export function TitleChoice({ titles, value, isSpecial, error, onChange, onTitles }: Props) {
  const title = titles.find(({ Id }) => Id === value)
  const options = titles
    .filter(({ IsActive }) => IsActive)
    .map((one) => ({ value: one.Id, label: `${one.Title}（${getQualification(one).text}）` }))
  return (
    <>
      <Field
        label="发票抬头"
        error={error}
        hint={title ? `税号 ${title.TaxNumber}` : '不同抬头的订单会分别开票'}
      >
        <Select
          value={value}
          options={[{ value: '', label: '按各订单下单时的抬头' }, ...options]}
          onChange={onChange}
        />
      </Field>
      {isSpecial && title && <Hindrance title={title} onTitles={onTitles} />}
      {!titles.length && (
        <div className={styles.note}>
          <span>还没有维护抬头</span>
          <Button size="s" look="text" onClick={onTitles}>
            去新增抬头
          </Button>
        </div>
      )}
    </>
  )
}
