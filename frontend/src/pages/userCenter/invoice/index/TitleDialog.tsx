import { Checkbox, Form, Input } from 'antd'
import { isApiError } from '@/api/errors'
import { FormDialog } from '@/desk/FormDialog'
import { useAddTitle, useChangeTitle, type InvoiceTitle } from '@/domain/invoices/invoices'
import { toast } from '@/ui/toast'

interface Values {
  Title: string
  TaxNumber: string
  Address: string
  Phone: string
  Bank: string
  BankAccount: string
  IsDefault: boolean
}

const NEW: Values = {
  Title: '',
  TaxNumber: '',
  Address: '',
  Phone: '',
  Bank: '',
  BankAccount: '',
  IsDefault: false,
}
const STALE = '同事刚刚修改过这个抬头。请关闭后重新打开，核对最新内容再保存'

interface Props {
  /** Null for a new one. */
  title: InvoiceTitle | null
  enterpriseId: string | undefined
  onClose: () => void
}

const valuesOf = ({
  Title,
  TaxNumber,
  Address,
  Phone,
  Bank,
  BankAccount,
  IsDefault,
}: InvoiceTitle): Values => ({ Title, TaxNumber, Address, Phone, Bank, BankAccount, IsDefault })

/** Create or change a title. */
export function TitleDialog({ title, enterpriseId, onClose }: Props) {
  const add = useAddTitle()
  const change = useChangeTitle()
  const save = async (values: Values): Promise<void> => {
    if (title)
      await change
        .mutateAsync({ Id: title.Id, body: { ...values, UpdatedAt: title.UpdatedAt } })
        .catch((error: unknown) => {
          throw isApiError(error, 'stale') ? new Error(STALE) : error
        })
    else
      await add.mutateAsync({ ...values, ...(enterpriseId ? { EnterpriseId: enterpriseId } : {}) })
    toast.success('开票抬头已保存')
  }
  return (
    <FormDialog<Values>
      title={title ? `编辑抬头 · ${title.Title}` : '新增抬头'}
      open
      onClose={onClose}
      onSubmit={save}
      initialValues={title ? valuesOf(title) : NEW}
      width={560}
    >
      {title?.HasSpecialQualification && (
        <p>该抬头已通过专票资质；修改名称、税号等开票信息后，专票资质可能需要重新审核。</p>
      )}
      <Form.Item name="Title" label="抬头名称" rules={[{ required: true, message: '请填写抬头' }]}>
        <Input maxLength={100} placeholder="与营业执照上的名称一致" />
      </Form.Item>
      <Form.Item
        name="TaxNumber"
        label="税号"
        rules={[{ required: true, message: '请填写税号' }]}
        extra="统一社会信用代码或纳税人识别号"
      >
        <Input maxLength={20} autoComplete="off" />
      </Form.Item>
      <Form.Item name="Address" label="注册地址" extra="地址、电话、开户行和账号在开具专票时必填">
        <Input maxLength={200} />
      </Form.Item>
      <Form.Item name="Phone" label="电话">
        <Input maxLength={30} inputMode="tel" />
      </Form.Item>
      <Form.Item name="Bank" label="开户行">
        <Input maxLength={100} />
      </Form.Item>
      <Form.Item name="BankAccount" label="账号">
        <Input maxLength={40} inputMode="numeric" autoComplete="off" />
      </Form.Item>
      {!title?.IsDefault && (
        <Form.Item name="IsDefault" valuePropName="checked" noStyle>
          <Checkbox>设为默认抬头</Checkbox>
        </Form.Item>
      )}
    </FormDialog>
  )
}
