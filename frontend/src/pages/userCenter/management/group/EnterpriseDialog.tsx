import { Form, Input } from 'antd'
import { FormDialog } from '@/desk/FormDialog'
import { creditCodeFault, plainCreditCode } from '@/domain/org/creditCode'
import { useSaveEnterprise, type Enterprise, type EnterpriseBody } from '@/domain/org/group'
import { toast } from '@/ui/toast'
import styles from './group.module.css'

const need = (label: string) => [{ required: true, whitespace: true, message: `请填写${label}` }]
const checked = {
  validator: (_: unknown, value: string | undefined): Promise<void> => {
    const fault = value ? creditCodeFault(value) : null
    return fault ? Promise.reject(new Error(fault)) : Promise.resolve()
  },
}

/** Creates or edits a legal entity. */
export function EnterpriseDialog({
  edited,
  onClose,
}: {
  edited: Enterprise | null
  onClose: () => void
}) {
  const save = useSaveEnterprise(edited?.Id ?? null)
  const submit = async (values: EnterpriseBody): Promise<void> => {
    await save.mutateAsync({ ...values, ...(edited ? { UpdatedAt: edited.UpdatedAt } : {}) })
    toast.success(edited ? '企业资料已保存' : '企业已新增')
  }
  const first = edited && {
    Code: edited.Code,
    Name: edited.Name,
    CreditCode: edited.CreditCode,
    Province: edited.Province,
    City: edited.City,
    District: edited.District,
    Street: edited.Street,
    Phone: edited.Phone,
  }
  return (
    <FormDialog<EnterpriseBody>
      title={edited ? '编辑企业' : '新增企业'}
      open
      onClose={onClose}
      onSubmit={submit}
      width={600}
      {...(first ? { initialValues: first } : {})}
    >
      <div className={styles.pair}>
        <Form.Item name="Name" label="企业名称" rules={need('企业名称')}>
          <Input maxLength={100} placeholder="与营业执照一致" />
        </Form.Item>
        <Form.Item name="Code" label="企业编码" rules={need('企业编码')}>
          <Input maxLength={30} />
        </Form.Item>
      </div>
      <Form.Item
        name="CreditCode"
        label="统一社会信用代码"
        normalize={plainCreditCode}
        validateTrigger="onBlur"
        rules={[...need('统一社会信用代码'), checked]}
        extra="营业执照上的 18 位代码，系统按国标核对校验位"
      >
        <Input maxLength={24} autoComplete="off" />
      </Form.Item>
      <div className={styles.three}>
        <Form.Item name="Province" label="省">
          <Input maxLength={30} />
        </Form.Item>
        <Form.Item name="City" label="市">
          <Input maxLength={30} />
        </Form.Item>
        <Form.Item name="District" label="区县">
          <Input maxLength={30} />
        </Form.Item>
      </div>
      <div className={styles.pair}>
        <Form.Item name="Street" label="详细地址">
          <Input maxLength={200} />
        </Form.Item>
        <Form.Item name="Phone" label="电话">
          <Input maxLength={30} />
        </Form.Item>
      </div>
    </FormDialog>
  )
}
