import { Form, Input, Modal, Radio } from 'antd'
import { showErrorAt } from '@/desk/formErrors'
import { useAdd, type AddBody, type Approval } from '@/domain/approvals/approvals'
import styles from './approval.module.css'
import { CandidateSelect } from './CandidateSelect'

type Values = Required<Pick<AddBody, 'Placement' | 'To' | 'Mode'>> & { Reason?: string }

const PLACEMENTS: { value: Values['Placement']; label: string; hint: string }[] = [
  { value: 'before', label: '先于我', hint: '对方先审批，同意后再回到您这里' },
  { value: 'together', label: '与我一起', hint: '您和对方都同意后，这一步才通过' },
  { value: 'after', label: '在我之后', hint: '您同意后，由对方继续审批' },
]

/** Add approvers before, in or after the present step (加签). */
export function AddDialog({ approval, onClose }: { approval: Approval; onClose: () => void }) {
  const [form] = Form.useForm<Values>()
  const placement = Form.useWatch('Placement', form) ?? 'before'
  const to = Form.useWatch('To', form) ?? []
  const add = useAdd()
  const send = ({ Reason = '', ...values }: Values): void =>
    add.mutate(
      { ApprovalId: approval.Id, Version: approval.Version, ...values, Reason: Reason.trim() },
      {
        onSuccess: onClose,
        onError: (error) => showErrorAt(form, 'To', error),
      },
    )
  return (
    <Modal
      title="加签"
      open
      onCancel={onClose}
      okText="确认加签"
      cancelText="返回"
      confirmLoading={add.isPending}
      onOk={form.submit}
      width={480}
    >
      <p className={styles.asked}>
        请其他同事一起审批 {approval.SubjectNo}。对方处理之前，您可以撤回加签。
      </p>
      <Form<Values>
        form={form}
        layout="vertical"
        initialValues={{ Placement: 'before', To: [], Mode: 'all' }}
        onFinish={send}
      >
        <Form.Item
          name="Placement"
          label="审批顺序"
          extra={PLACEMENTS.find(({ value }) => value === placement)?.hint}
        >
          <Radio.Group
            optionType="button"
            options={PLACEMENTS.map(({ value, label }) => ({ value, label }))}
          />
        </Form.Item>
        <Form.Item
          name="To"
          label="加签给"
          rules={[{ required: true, message: '请选择加签的同事' }]}
        >
          <CandidateSelect approvalId={approval.Id} many />
        </Form.Item>
        <Form.Item name="Mode" label="多人时" hidden={placement === 'together' || to.length < 2}>
          <Radio.Group
            options={[
              { value: 'all', label: '会签，须全部同意' },
              { value: 'any', label: '或签，任一人同意即可' },
            ]}
          />
        </Form.Item>
        <Form.Item name="Reason" label="加签原因">
          <Input.TextArea rows={2} maxLength={300} showCount placeholder="选填" />
        </Form.Item>
      </Form>
    </Modal>
  )
}
