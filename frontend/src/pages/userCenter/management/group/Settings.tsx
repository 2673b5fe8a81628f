import { Button, Checkbox, Form, InputNumber, Radio, Select, Switch } from 'antd'
import { useState } from 'react'
import { showFieldErrors } from '@/desk/formErrors'
import type { OwnerProofFields } from '@/domain/account/OwnerProof'
import { withOwnerProof } from '@/domain/account/OwnerProof'
import { useSaveGroup, type Group } from '@/domain/org/group'
import { toast } from '@/ui/toast'
import { RequirementDialog } from './RequirementDialog'
import styles from './group.module.css'

const OVER = [
  { value: 'budget', label: '按各预算的设置' },
  { value: 'approve', label: '至少需要审批' },
  { value: 'block', label: '一律不允许提交' },
]
const CHOICES = [
  { value: 'free', label: '可自选可用预算' },
  { value: 'nearest', label: '必须使用最近归属的预算' },
]
const PAYMENTS = [
  { value: 'credit', label: '月结' },
  { value: 'cod', label: '货到付款' },
  { value: 'transfer', label: '公司转账' },
  { value: 'online', label: '在线支付' },
]
const INVOICES = [
  { value: 'e_normal', label: '数电普票' },
  { value: 'e_special', label: '数电专票' },
  { value: 'paper_normal', label: '纸质普票' },
  { value: 'paper_special', label: '纸质专票' },
]
const HOURS = [
  { value: 0, label: '平台默认（30 天）' },
  { value: 1, label: '1 小时' },
  { value: 8, label: '8 小时' },
  { value: 24, label: '1 天' },
  { value: 168, label: '7 天' },
]

const REQUIRED = { required: true, message: '请填写工作小时数，0 为关闭' }

type Fields = Group['Settings']

/** ARIA does not permit `required` on a group of checkboxes. */
const atLeastOne = (message: string) => ({
  validator: async (_: unknown, chosen: readonly string[]) =>
    chosen.length > 0 ? undefined : Promise.reject(new Error(message)),
})

/** A stored value outside the offered hours is also an option. */
export const getHours = (present: number | null): { value: number; label: string }[] =>
  present === null || HOURS.some(({ value }) => value === present)
    ? HOURS
    : [...HOURS, { value: present, label: `${present} 小时` }].toSorted(
        (one, other) => (one.value || 720) - (other.value || 720),
      )

/** The settings of the whole group for checkout and sign-in. */
export function Settings({ group }: { group: Group }) {
  const [form] = Form.useForm<Fields>()
  const save = useSaveGroup(group.Id)
  const [isTouched, setTouched] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  // Values that wait for the proof of the owner.
  const [proved, setProved] = useState<Fields | null>(null)
  const undo = (): void => {
    form.resetFields()
    setTouched(false)
    setRefusal(null)
  }
  const send = async (values: Fields, proof: OwnerProofFields = {}): Promise<void> => {
    await save.mutateAsync({
      ...values,
      ...withOwnerProof(proof),
      SessionHours: values.SessionHours || null,
      UpdatedAt: group.UpdatedAt,
    })
    toast.success('集团设置已保存，立即生效')
  }
  const finish = async (values: Fields): Promise<void> => {
    setRefusal(null)
    if (values.RequiresSecondFactor !== group.Settings.RequiresSecondFactor) {
      setProved(values)
      return
    }
    try {
      await send(values)
    } catch (error) {
      if (!showFieldErrors(form, error))
        setRefusal(error instanceof Error ? error.message : '请求失败')
    }
  }
  return (
    <section className={styles.section} aria-label="集团设置">
      <header>
        <h2>集团设置</h2>
        <small>保存后对全集团所有账号立即生效</small>
      </header>
      {refusal && (
        <p className={styles.refusal} role="alert">
          {refusal}
        </p>
      )}
      <Form<Fields>
        form={form}
        layout="vertical"
        className={styles.settings ?? ''}
        disabled={!group.CanEdit}
        initialValues={{ ...group.Settings, SessionHours: group.Settings.SessionHours ?? 0 }}
        onValuesChange={() => setTouched(true)}
        onFinish={(values) => void finish(values)}
      >
        <Form.Item
          name="OverBudget"
          label="超预算下单"
          extra="各预算可以更严，不能更宽：预算自身“不允许”的仍不允许"
        >
          <Radio.Group options={OVER} />
        </Form.Item>
        <Form.Item
          name="BudgetChoice"
          label="预算的确定方式"
          extra="最近归属依次为本人、所在部门、上级部门、企业；自选时，弃用余额不足且禁止超出的预算须审批"
        >
          <Radio.Group options={CHOICES} />
        </Form.Item>
        <Form.Item
          name="PaymentKinds"
          label="允许的付款方式"
          extra="结算页只显示勾选的方式"
          rules={[atLeastOne('请至少保留一种付款方式')]}
        >
          <Checkbox.Group options={PAYMENTS} />
        </Form.Item>
        <Form.Item
          name="InvoiceKinds"
          label="允许的发票种类"
          extra="专票另需开票抬头通过专票资质审核"
          rules={[atLeastOne('请至少保留一种发票种类')]}
        >
          <Checkbox.Group options={INVOICES} />
        </Form.Item>
        <Form.Item
          name="ApprovalRemindHours"
          label="审批超时提醒"
          extra="审批人收到后超过这么多工作小时未处理即提醒，之后每个工作日提醒一次；0 为不提醒"
          rules={[REQUIRED]}
        >
          <InputNumber min={0} max={180} precision={0} suffix="工作小时" style={{ width: 160 }} />
        </Form.Item>
        <Form.Item
          name="ApprovalEscalateHours"
          label="审批超时升级"
          extra="仍未处理则增加上级部门负责人（没有则集团管理员）一同审批，原审批人仍可审批，不会自动通过；0 为不升级。工作时间为工作日 9:00–18:00，已扣除法定节假日"
          rules={[REQUIRED]}
        >
          <InputNumber min={0} max={180} precision={0} suffix="工作小时" style={{ width: 160 }} />
        </Form.Item>
        <Form.Item
          name="SessionHours"
          label="登录保持时长"
          extra="超过这段时间没有操作，需要重新登录"
        >
          <Select options={getHours(group.Settings.SessionHours)} style={{ maxWidth: 260 }} />
        </Form.Item>
        <Form.Item
          name="AllowsWeChatWork"
          label="企业微信登录"
          valuePropName="checked"
          extra="关闭后只能用账号密码登录"
        >
          <Switch checkedChildren="允许" unCheckedChildren="关闭" />
        </Form.Item>
        <Form.Item
          name="HasSingleSession"
          label="同一账号只保留最近一次登录"
          valuePropName="checked"
          extra="开启后在新设备登录，原设备自动退出"
        >
          <Switch checkedChildren="开启" unCheckedChildren="关闭" />
        </Form.Item>
        <Form.Item
          name="RequiresSecondFactor"
          label="登录须两步验证"
          valuePropName="checked"
          extra="开启后，账号密码登录还需要手机验证器的验证码；未设置的人最迟 10 分钟后须重新登录并设置"
        >
          <Switch checkedChildren="开启" unCheckedChildren="关闭" />
        </Form.Item>
        {group.CanEdit ? (
          <div className={styles.buttons}>
            <Button type="primary" htmlType="submit" loading={save.isPending} disabled={!isTouched}>
              保存设置
            </Button>
            {isTouched && <Button onClick={undo}>还原</Button>}
          </div>
        ) : (
          <p className={styles.quiet}>您可以查看，修改请联系数据范围为全集团的管理员</p>
        )}
      </Form>
      {proved && (
        <RequirementDialog
          group={group}
          isOn={proved.RequiresSecondFactor}
          onClose={() => setProved(null)}
          onSubmit={(proof) => send(proved, proof)}
        />
      )}
    </section>
  )
}
