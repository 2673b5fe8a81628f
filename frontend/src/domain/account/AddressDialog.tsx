import { useState, type FormEvent } from 'react'
import { fieldMessages, isApiError } from '@/api/errors'
import { showError } from '@/api/call'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Checkbox, Field, Input, Select } from '@/ui/Field'
import { toast } from '@/ui/toast'
import styles from './AddressDialog.module.css'
import { PROVINCES, useCreateAddress } from './addresses'

const EMPTY = { Receiver: '', Mobile: '', Province: '', City: '', District: '', Street: '', IsDefault: false }
type Form = typeof EMPTY

/** A new address of one's own; a refusal lands on its field, what was typed stays. */
export function AddressDialog({ uid, open, onClose, onSaved }: { uid: string; open: boolean; onClose: () => void; onSaved: (id: string) => void }) {
  const [form, setForm] = useState<Form>(EMPTY)
  const save = useCreateAddress(uid)
  const errors = fieldMessages(save.error)
  const set = (change: Partial<Form>): void => setForm({ ...form, ...change })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate(form, {
      onSuccess: ({ Id }) => {
        toast.success('地址已保存')
        setForm(EMPTY)
        onSaved(Id)
        onClose()
      },
      onError: (error) => {
        if (!isApiError(error, 'validation')) showError(error)
      },
    })
  }
  return (
    <Dialog
      title="新增收货地址"
      open={open}
      onClose={onClose}
      width={560}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button look="primary" type="submit" form="new-address" loading={save.isPending}>
            保存并使用
          </Button>
        </>
      }
    >
      <form id="new-address" className={styles.form} onSubmit={submit} noValidate>
        <Field label="收货人" required error={errors.Receiver}>
          <Input value={form.Receiver} maxLength={40} autoComplete="name" onChange={(event) => set({ Receiver: event.target.value })} />
        </Field>
        <Field label="手机号码" required error={errors.Mobile}>
          <Input value={form.Mobile} maxLength={20} inputMode="tel" autoComplete="tel" onChange={(event) => set({ Mobile: event.target.value })} />
        </Field>
        <Field label="省份" required error={errors.Province}>
          <Select value={form.Province} placeholder="请选择" options={PROVINCES.map((name) => ({ value: name, label: name }))} onChange={(Province) => set({ Province })} />
        </Field>
        <Field label="城市" required error={errors.City}>
          <Input value={form.City} maxLength={30} onChange={(event) => set({ City: event.target.value })} />
        </Field>
        <Field label="区县" error={errors.District}>
          <Input value={form.District} maxLength={30} onChange={(event) => set({ District: event.target.value })} />
        </Field>
        <Field label="详细地址" required error={errors.Street} className={styles.wide}>
          <Input value={form.Street} maxLength={200} autoComplete="street-address" onChange={(event) => set({ Street: event.target.value })} />
        </Field>
        <Checkbox checked={form.IsDefault} onChange={(IsDefault) => set({ IsDefault })}>
          设为我的默认地址
        </Checkbox>
      </form>
    </Dialog>
  )
}
