import { Form, Input, Modal } from 'antd'
import { showErrorAt } from '@/desk/formErrors'
import { useTransfer, type Approval } from '@/domain/approvals/approvals'
import styles from './approval.module.css'
import { CandidateSelect } from './CandidateSelect'

interface Values {
  To: string
  Reason?: string
}

/** Transfer the task to a colleague who may approve and who then decides instead. */
export function TransferDialog({ approval, onClose }: { approval: Approval; onClose: () => void }) {
  const [form] = Form.useForm<Values>()
  const transfer = useTransfer()
  const send = ({ To, Reason = '' }: Values): void =>
    transfer.mutate(
      { ApprovalId: approval.Id, To, Reason: Reason.trim(), Version: approval.Version },
      {
        onSuccess: onClose,
        onError: (error) => showErrorAt(form, 'To', error),
      },
    )
  return (
    <Modal
      title="转交审批"
      open
      onCancel={onClose}
      okText="确认转交"
      cancelText="返回"
      confirmLoading={transfer.isPending}
      onOk={form.submit}
      width={480}
    >
      <p className={styles.asked}>
        转交后由对方审批 {approval.SubjectNo}，您不能再处理这一步；审批记录会注明转交人和原因。
      </p>
      <Form<Values> form={form} layout="vertical" onFinish={send}>
        <Form.Item
          name="To"
          label="转交给"
          rules={[{ required: true, message: '请选择要转交的同事' }]}
        >
          <CandidateSelect approvalId={approval.Id} />
        </Form.Item>
        <Form.Item name="Reason" label="转交原因">
          <Input.TextArea rows={2} maxLength={200} showCount placeholder="选填" />
        </Form.Item>
      </Form>
    </Modal>
  )
}
