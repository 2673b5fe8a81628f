import { Checkbox, DatePicker, Form, Input, Select } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { FormDialog } from '@/desk/FormDialog'
import { confirmDayOnEnter } from '@/desk/confirmDayOnEnter'
import {
  KINDS,
  useAddDimension,
  useChangeDimension,
  type DimensionRow,
} from '@/domain/dimensions/dimensions'
import DepartmentsTreeSelect from '@/domain/org/DepartmentsTreeSelect'
import { PersonSelect } from '@/domain/org/PersonSelect'
import { toast } from '@/ui/toast'
import styles from './dimension.module.css'

interface Values {
  Kind: DimensionRow['Kind']
  Code: string
  Name: string
  OwnerId?: string | undefined
  ValidFrom?: Dayjs | null
  ValidTo?: Dayjs | null
  IsActive: boolean
  DepartmentIds: string[]
  DefaultIds: string[]
}

const NEEDED = (message: string) => [{ required: true, whitespace: true, message }]
const getDay = (day: Dayjs | null | undefined): string | null =>
  day ? day.format('YYYY-MM-DD') : null
const dayAt = (text: string | null): Dayjs | null => (text ? dayjs(text) : null)

/** Creates a dimension, or changes one (`row`). */
export default function DimensionDialog({
  row,
  onClose,
}: {
  row: DimensionRow | null
  onClose: () => void
}) {
  const add = useAddDimension()
  const change = useChangeDimension()
  const submit = async ({ ValidFrom, ValidTo, OwnerId, ...rest }: Values): Promise<void> => {
    const body = {
      ...rest,
      Kind: row?.Kind ?? rest.Kind,
      OwnerId: OwnerId ?? null,
      ValidFrom: getDay(ValidFrom),
      ValidTo: getDay(ValidTo),
    }
    if (row) await change.mutateAsync({ id: row.Id, body: { ...body, UpdatedAt: row.UpdatedAt } })
    else await add.mutateAsync(body)
    toast.success(row ? '核算项已保存' : '核算项已新增')
  }
  return (
    <FormDialog<Values>
      title={row ? `修改${row.KindText} · ${row.Code}` : '新增核算项'}
      open
      width={640}
      onClose={onClose}
      onSubmit={submit}
      initialValues={{
        Kind: row?.Kind ?? 'cost_center',
        Code: row?.Code ?? '',
        Name: row?.Name ?? '',
        OwnerId: row?.Owner?.Id,
        ValidFrom: dayAt(row?.ValidFrom ?? null),
        ValidTo: dayAt(row?.ValidTo ?? null),
        IsActive: row?.IsActive ?? true,
        DepartmentIds: row?.Departments.map(({ Id }) => Id) ?? [],
        DefaultIds: row?.Defaults.map(({ Id }) => Id) ?? [],
      }}
    >
      <div className={styles.pair}>
        <Form.Item name="Kind" label="类别">
          <Select options={[...KINDS]} disabled={row !== null} />
        </Form.Item>
        <Form.Item name="Code" label="编码" rules={NEEDED('请填写编码')}>
          <Input maxLength={40} placeholder="例如：CC-1001" />
        </Form.Item>
      </div>
      <Form.Item name="Name" label="名称" rules={NEEDED('请填写名称')}>
        <Input maxLength={80} placeholder="例如：行政部" />
      </Form.Item>
      <Form.Item name="OwnerId" label="负责人">
        <PersonSelect placeholder={row?.Owner?.Name ?? '选填，输入姓名或账号查找'} />
      </Form.Item>
      <div className={styles.pair}>
        <Form.Item name="ValidFrom" label="生效日期">
          <DatePicker onKeyDown={confirmDayOnEnter} style={{ width: '100%' }} placeholder="不限" />
        </Form.Item>
        <Form.Item name="ValidTo" label="失效日期">
          <DatePicker onKeyDown={confirmDayOnEnter} style={{ width: '100%' }} placeholder="不限" />
        </Form.Item>
      </div>
      <Form.Item name="DepartmentIds" label="适用部门" extra="含其下级部门；不选为全部部门都可使用">
        <DepartmentsTreeSelect placeholder="全部部门" />
      </Form.Item>
      <Form.Item
        name="DefaultIds"
        label="默认部门"
        extra="这些部门下单时默认使用本项，替换它们原来的默认；下级部门没有自己的默认时也使用"
      >
        <DepartmentsTreeSelect placeholder="不作为任何部门的默认" />
      </Form.Item>
      <Form.Item name="IsActive" valuePropName="checked" extra="停用后不能再用于新订单">
        <Checkbox>启用</Checkbox>
      </Form.Item>
    </FormDialog>
  )
}
