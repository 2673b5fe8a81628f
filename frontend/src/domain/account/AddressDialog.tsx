import { useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { fieldMessages, isApiError } from '@/api/errors'
import { showError } from '@/api/call'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Checkbox } from '@/ui/Choice'
import { Field, Input } from '@/ui/Field'
import { toast } from '@/ui/toast'
import styles from './AddressDialog.module.css'
import { useSaveAddress, type Address, type AddressBody } from './addresses'
import { PasteBox, type Parsed } from './PasteBox'
import { RegionFields } from './RegionFields'

const EMPTY = {
  Label: '',
  Receiver: '',
  Mobile: '',
  Province: '',
  City: '',
  District: '',
  Town: '',
  Street: '',
  PostalCode: '',
  IsDefault: false,
}
type Form = typeof EMPTY
const KEYS = Object.keys(EMPTY) as (keyof Form)[]

const formOf = (address: Address | undefined): Form =>
  address ? (Object.fromEntries(KEYS.map((key) => [key, address[key]])) as Form) : EMPTY

/** The owner of a new address. The default is the person. */
export type AddressOwner = Pick<AddressBody, 'OwnerType' | 'EnterpriseId' | 'DepartmentId'>

interface Props {
  uid: string
  open: boolean
  onClose: () => void
  onSaved: (id: string) => void
  /** The one to change; a new one without it. */
  address?: Address | undefined
  owner?: AddressOwner
  /** Fields of the owner, above the others. */
  children?: ReactNode
  okText?: string
}

/**
 * Create or change an address. A pasted address fills the form. Errors are shown at their fields.
 */
export function AddressDialog({
  uid,
  open,
  onClose,
  onSaved,
  address,
  owner,
  children,
  okText = '保存并使用',
}: Props) {
  const [form, setForm] = useState<Form>(EMPTY)
  const save = useSaveAddress(uid)
  const { reset } = save
  useEffect(() => {
    if (!open) return
    setForm(formOf(address))
    reset()
  }, [open, address, reset])
  const errors = fieldMessages(save.error)
  const set = (change: Partial<Form>): void => setForm((was) => ({ ...was, ...change }))
  const fill = (parsed: Parsed): void => {
    const { Province, City, District, Town, ...others } = parsed
    const found = Object.fromEntries(Object.entries(others).filter(([, text]) => text))
    set({ ...found, ...(Province ? { Province, City, District, Town } : {}) })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate(
      { of: address, body: { ...form, ...owner } },
      {
        onSuccess: ({ Id }) => {
          toast.success('地址已保存')
          onSaved(Id)
          onClose()
        },
        onError: (error) => {
          if (!isApiError(error, 'validation')) showError(error)
        },
      },
    )
  }
  return (
    <Dialog
      title={address ? '编辑收货地址' : '新增收货地址'}
      open={open}
      onClose={onClose}
      width={600}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button look="primary" type="submit" form="address-form" loading={save.isPending}>
            {okText}
          </Button>
        </>
      }
    >
      <PasteBox onParsed={fill} />
      <form id="address-form" className={styles.form} onSubmit={submit} noValidate>
        {children}
        <Field label="收货人" required error={errors.Receiver}>
          <Input
            value={form.Receiver}
            maxLength={40}
            autoComplete="name"
            onChange={(event) => set({ Receiver: event.target.value })}
          />
        </Field>
        <Field label="手机号码" required error={errors.Mobile}>
          <Input
            value={form.Mobile}
            maxLength={20}
            inputMode="tel"
            autoComplete="tel"
            onChange={(event) => set({ Mobile: event.target.value })}
          />
        </Field>
        <RegionFields
          value={form}
          errors={errors}
          onChange={({ Province, City, District, Town }) => set({ Province, City, District, Town })}
        />
        <Field label="详细地址" required error={errors.Street} className={styles.wide}>
          <Input
            value={form.Street}
            maxLength={200}
            autoComplete="street-address"
            placeholder="路名、门牌号、楼层和房间号"
            onChange={(event) => set({ Street: event.target.value })}
          />
        </Field>
        <Field label="标签" error={errors.Label} hint="如：总部前台、仓库">
          <Input
            value={form.Label}
            maxLength={20}
            onChange={(event) => set({ Label: event.target.value })}
          />
        </Field>
        <Field label="邮政编码" error={errors.PostalCode}>
          <Input
            value={form.PostalCode}
            maxLength={6}
            inputMode="numeric"
            autoComplete="postal-code"
            onChange={(event) => set({ PostalCode: event.target.value })}
          />
        </Field>
        <Checkbox checked={form.IsDefault} onChange={(IsDefault) => set({ IsDefault })}>
          {address && address.OwnerType !== 'account'
            ? '设为该范围的默认地址'
            : owner?.OwnerType && owner.OwnerType !== 'account'
              ? '设为该范围的默认地址'
              : '设为我的默认地址'}
        </Checkbox>
      </form>
    </Dialog>
  )
}
