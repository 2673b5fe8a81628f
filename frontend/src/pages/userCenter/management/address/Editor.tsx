import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { AddressDialog, type AddressOwner } from '@/domain/account/AddressDialog'
import type { Address } from '@/domain/account/addresses'
import { useSession } from '@/lib/session'
import { Field, Select } from '@/ui/Field'
import { departments, enterprises, SCOPES, type Scope } from './filters'

const named = (rows: readonly { Id: string; Name: string }[] | undefined) =>
  (rows ?? []).map(({ Id, Name }) => ({ value: Id, label: Name }))

interface Props {
  /** The address to edit, `new` for a new one, null if nothing is edited. */
  edited: Address | 'new' | null
  /** Whether the user may manage shared addresses. */
  canShare: boolean
  onClose: () => void
  onSaved: () => void
}

/** The address dialog. For a new address it asks for the owner. */
export function Editor({ edited, canShare, onClose, onSaved }: Props) {
  const person = useSession()
  const [scope, setScope] = useState<Scope>('account')
  const [enterprise, setEnterprise] = useState('')
  const [department, setDepartment] = useState('')
  const isNew = edited === 'new'
  useEffect(() => {
    if (isNew) setScope('account')
  }, [isNew])
  const { data: companies } = useQuery({ ...enterprises, enabled: isNew && canShare })
  const { data: units } = useQuery({ ...departments, enabled: isNew && canShare })
  const owner: AddressOwner = {
    OwnerType: scope,
    EnterpriseId: scope === 'enterprise' ? enterprise || companies?.Items[0]?.Id || null : null,
    DepartmentId: scope === 'department' ? department || units?.Items[0]?.Id || null : null,
  }
  return (
    <AddressDialog
      uid={person?.User.uid ?? ''}
      open={edited !== null}
      onClose={onClose}
      onSaved={onSaved}
      okText="保存"
      {...(isNew ? { owner } : { address: edited ?? undefined })}
    >
      {isNew && canShare && (
        <>
          <Field label="使用范围" required>
            <Select
              value={scope}
              options={SCOPES.map(({ value, label }) => ({
                value,
                label: value === 'account' ? '仅本人使用' : `${label}共用`,
              }))}
              onChange={(value) => setScope(value as Scope)}
            />
          </Field>
          {scope === 'enterprise' && (
            <Field label="企业" required>
              <Select
                value={owner.EnterpriseId ?? ''}
                options={named(companies?.Items)}
                onChange={setEnterprise}
              />
            </Field>
          )}
          {scope === 'department' && (
            <Field label="部门" required hint="该部门及下级部门可用">
              <Select
                value={owner.DepartmentId ?? ''}
                options={named(units?.Items)}
                onChange={setDepartment}
              />
            </Field>
          )}
          {(scope === 'account' || scope === 'group') && <span />}
        </>
      )}
    </AddressDialog>
  )
}
