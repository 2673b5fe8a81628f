import { useQuery } from '@tanstack/react-query'
import { Form, Input, Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { call } from '@/api/call'
import { FormDialog } from '@/desk/FormDialog'
import {
  headsLike,
  getPath,
  useTreeWrite,
  type Branch,
  type Department,
  type DepartmentBody,
} from '@/domain/org/departmentTree'
import { toast } from '@/ui/toast'

interface HeadSelectProps {
  id?: string
  value?: string | null
  onChange?: (value: string | null) => void
  /** The current head, who may be missing in the first search result. */
  currentHead?: { Id: string; Name: string } | null
  disabled?: boolean
}

/** A select for the department head, by name, account or mobile. A control for antd's Form.Item. */
function HeadSelect({ id, value, onChange, currentHead, disabled = false }: HeadSelectProps) {
  const [typed, setTyped] = useState('')
  const { data, isFetching } = useQuery(headsLike(useDeferredValue(typed.trim())))
  const found = (data ?? []).map(({ Id, Name, UserName, Department: place }) => ({
    value: Id,
    label: `${Name}（${UserName}）${place ? ` · ${place}` : ''}`,
  }))
  const options =
    currentHead && !typed && !found.some((option) => option.value === currentHead.Id)
      ? [{ value: currentHead.Id, label: currentHead.Name }, ...found]
      : found
  return (
    <Select<string | null>
      {...(id ? { id } : {})}
      value={value ?? null}
      onChange={(chosen) => onChange?.(chosen ?? null)}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      allowClear
      disabled={disabled}
      loading={isFetching}
      options={options}
      placeholder="输入姓名、账号或手机号查找"
      notFoundContent={isFetching ? '正在查找…' : '没有符合条件的同事'}
    />
  )
}

type Fields = Pick<DepartmentBody, 'Name' | 'Code' | 'HeadId' | 'CostCenter'>

interface DepartmentDialogProps {
  /** The department to edit, or the parent of the new one. */
  edited?: Department
  under?: Branch
  /** The department contains this person, who therefore does not choose its head. */
  isHeadFixed?: boolean
  branches: readonly Branch[]
  onSaved: (key: string) => void
  onClose: () => void
}

const buildRequiredRule = (label: string) => [
  { required: true, whitespace: true, message: `请填写${label}` },
]

export function DepartmentDialog({
  edited,
  under,
  isHeadFixed = false,
  branches,
  onSaved,
  onClose,
}: DepartmentDialogProps) {
  const save = useTreeWrite(async (body: Fields): Promise<{ Id: string }> =>
    edited
      ? call('patch', '/api/Department/{Id}', {
          path: { Id: edited.Id },
          body: { ...body, UpdatedAt: edited.UpdatedAt },
          quiet: true,
        })
      : call('post', '/api/Department', {
          body: {
            ...body,
            EnterpriseId: under?.enterpriseId ?? null,
            ParentId: under?.department?.Id ?? null,
          },
          quiet: true,
        }),
  )
  const submit = async (values: Fields): Promise<void> => {
    const { Id } = await save.mutateAsync({ ...values, HeadId: values.HeadId ?? null })
    toast.success(edited ? '部门已保存' : '部门已新增')
    onSaved(Id)
  }
  const currentHead = edited?.HeadId ? { Id: edited.HeadId, Name: edited.HeadName ?? '' } : null
  return (
    <FormDialog<Fields>
      title={edited ? '编辑部门' : '新增部门'}
      open
      onClose={onClose}
      onSubmit={submit}
      {...(edited
        ? {
            initialValues: {
              Name: edited.Name,
              Code: edited.Code,
              CostCenter: edited.CostCenter,
              ...(edited.HeadId ? { HeadId: edited.HeadId } : {}),
            },
          }
        : {})}
    >
      {under && <p>上级：{getPath(branches, under.key).join(' / ')}</p>}
      <Form.Item name="Name" label="部门名称" rules={buildRequiredRule('部门名称')}>
        <Input maxLength={60} />
      </Form.Item>
      <Form.Item
        name="Code"
        label="部门编码"
        rules={buildRequiredRule('部门编码')}
        extra="本企业内不重复，导入导出时用来识别部门"
      >
        <Input maxLength={30} />
      </Form.Item>
      <Form.Item
        name="HeadId"
        label="部门负责人"
        extra={
          isHeadFixed
            ? '您在该部门或其下级部门中，负责人由集团管理员或不在该部门中的管理员更改'
            : '审批规则中的“部门负责人”由他审批'
        }
      >
        <HeadSelect currentHead={currentHead} disabled={isHeadFixed} />
      </Form.Item>
      <Form.Item name="CostCenter" label="成本中心" extra="本部门的订单默认记到这里">
        <Input maxLength={40} />
      </Form.Item>
    </FormDialog>
  )
}
