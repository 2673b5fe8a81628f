import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { addresses } from '@/domain/account/addresses'
import { addressLine } from '@/lib/address'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Field, Input, Select } from '@/ui/Field'
import styles from './apply.module.css'
import type { ApplyForm } from './form'

interface Props {
  form: ApplyForm
  isPaper: boolean
  errors: Record<string, string>
  onChange: (change: Partial<ApplyForm>) => void
}

/** The delivery of the invoices: files by mail, paper by post. */
export function Delivery({ form, isPaper, errors, onChange }: Props) {
  const uid = useSession()?.User.uid ?? ''
  const { data } = useQuery({ ...addresses(uid), enabled: isPaper })
  if (!isPaper)
    return (
      <Field
        label="收票邮箱"
        required
        error={errors.Email}
        hint="开具后 PDF 与 XML 发送到此邮箱，也可在开票记录下载"
      >
        <Input
          type="email"
          maxLength={254}
          value={form.Email}
          onChange={(event) => onChange({ Email: event.target.value })}
        />
      </Field>
    )
  return (
    <>
      <Field label="收票地址" required error={errors.AddressId}>
        <Select
          value={form.AddressId}
          placeholder="请选择收票地址"
          options={(data?.Items ?? []).map((row) => ({
            value: row.Id,
            label: `${row.Receiver} ${row.Mobile} ${addressLine(row)}`,
          }))}
          onChange={(AddressId) => onChange({ AddressId })}
        />
      </Field>
      <p className={styles.hint}>
        没有合适的地址？<Link to={paths.addresses()}>维护收货地址</Link>
      </p>
    </>
  )
}
