import { Form, Modal, type FormInstance } from 'antd'
import { useId, useState, type ReactNode } from 'react'
import { showFieldErrors } from './formErrors'
import { useIsUploading } from '@/ui/useUploads'
import { useReturnedFocus } from '@/ui/useReturnedFocus'
import styles from './desk.module.css'

interface FormDialogProps<T extends object> {
  title: string
  open: boolean
  onClose: () => void
  /**
   * Resolves after success. Errors stay in the form, at their fields when the server names them.
   */
  onSubmit: (values: T) => Promise<unknown>
  initialValues?: Partial<T>
  /** antd `Form.Item`s, named by the keys of the API. */
  children: ReactNode
  width?: number
  okText?: string
  /** The action is destructive: its button is red. */
  danger?: boolean
  /** The dialog only tells something: its one button closes it. */
  isNotice?: boolean
  form?: FormInstance<T>
}

export function FormDialog<T extends object>({
  title,
  open,
  onClose,
  onSubmit,
  initialValues,
  children,
  width = 520,
  okText = '保存',
  danger = false,
  isNotice = false,
  form: given,
}: FormDialogProps<T>) {
  const [form] = Form.useForm<T>(given)
  const [isSending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const isUploading = useIsUploading()
  const id = useId()
  useReturnedFocus()
  const close = (): void => {
    setRefusal(null)
    onClose()
  }
  const finish = async (values: T): Promise<void> => {
    setSending(true)
    setRefusal(null)
    try {
      await onSubmit(values)
      close()
    } catch (error) {
      if (!showFieldErrors(form, error))
        setRefusal(error instanceof Error ? error.message : '请求失败')
    } finally {
      setSending(false)
    }
  }
  return (
    <Modal
      title={title}
      open={open}
      onCancel={close}
      okText={okText}
      // A submit button of the form, so that Enter in any of its fields sends it.
      okButtonProps={{ danger, disabled: isUploading, htmlType: 'submit', form: id }}
      {...(isNotice ? { cancelButtonProps: { style: { display: 'none' } } } : {})}
      confirmLoading={isSending}
      width={width}
      destroyOnHidden
    >
      {refusal && (
        <p className={styles.refusal} role="alert">
          {refusal}
        </p>
      )}
      <Form<T>
        id={id}
        form={form}
        layout="vertical"
        preserve={false}
        {...(initialValues ? { initialValues } : {})}
        onFinish={(values) => void finish(values)}
      >
        {children}
      </Form>
    </Modal>
  )
}
