import { useQuery } from '@tanstack/react-query'
import { Form, Modal, Select } from 'antd'
import { useDeferredValue, useEffect, useState } from 'react'
import { showErrorAt } from '@/desk/formErrors'
import {
  mentionable,
  useCopy,
  useCopyRead,
  type Approval,
  type Decision,
} from '@/domain/approvals/approvals'
import { useSession } from '@/lib/session'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import styles from './approval.module.css'

/** The people who got a copy (抄送), with what each has read. Reading the own copy marks it. */
export function Copies({ data }: { data: Decision }) {
  const [isSending, setSending] = useState(false)
  const uid = useSession()?.User.uid
  const { mutate: read } = useCopyRead()
  const { Approval: approval, Copies: rows } = data
  const isUnread = rows.some(({ To, ReadAt }) => To.Id === uid && !ReadAt)
  useEffect(() => {
    if (isUnread) read(approval.Id)
  }, [isUnread, read, approval.Id])
  return (
    <section aria-label="抄送">
      <h3>
        抄送{' '}
        <Button size="s" look="text" onClick={() => setSending(true)}>
          抄送给同事
        </Button>
      </h3>
      {rows.length === 0 && <small>还没有抄送给任何人</small>}
      <ul className={styles.copies}>
        {rows.map(({ To, By, At, ReadAt }) => (
          <li key={To.Id}>
            <b>{To.Name}</b>
            <small>
              {By ? `${By.Name} ` : '按审批规则 '}
              {formatTime(At)} 抄送 · {ReadAt ? `${formatTime(ReadAt)} 已读` : '未读'}
            </small>
          </li>
        ))}
      </ul>
      {isSending && (
        <CopyDialog
          approval={approval}
          present={rows.map(({ To }) => To.Id)}
          onClose={() => setSending(false)}
        />
      )}
    </section>
  )
}

function CopyDialog({
  approval,
  present,
  onClose,
}: {
  approval: Approval
  present: readonly string[]
  onClose: () => void
}) {
  const [form] = Form.useForm<{ To: string[] }>()
  const [keyword, setKeyword] = useState('')
  // The list closes after each choice. An open list covers the buttons of the dialog.
  const [isListOpen, setListOpen] = useState(false)
  const { data, isFetching } = useQuery(mentionable(approval.Id, useDeferredValue(keyword.trim())))
  const copy = useCopy()
  return (
    <Modal
      title="抄送给同事"
      open
      onCancel={onClose}
      okText="确认抄送"
      cancelText="返回"
      confirmLoading={copy.isPending}
      onOk={form.submit}
      width={480}
    >
      <p className={styles.asked}>对方会收到通知，可以查看和评论这张单据，不参与审批。</p>
      <Form
        form={form}
        layout="vertical"
        onFinish={({ To }: { To: string[] }) =>
          copy.mutate(
            { ApprovalId: approval.Id, To },
            {
              onSuccess: onClose,
              onError: (error) => showErrorAt(form, 'To', error),
            },
          )
        }
      >
        <Form.Item
          name="To"
          label="抄送给"
          rules={[{ required: true, message: '请选择要抄送的同事' }]}
        >
          <Select
            mode="multiple"
            open={isListOpen}
            onOpenChange={setListOpen}
            onSelect={() => setListOpen(false)}
            showSearch={{ filterOption: false, onSearch: setKeyword }}
            loading={isFetching}
            options={(data ?? []).map(({ Id, Name, Department }) => ({
              value: Id,
              label: [Name, Department, present.includes(Id) && '已抄送']
                .filter(Boolean)
                .join(' · '),
              disabled: present.includes(Id),
            }))}
            placeholder="输入同事姓名或账号"
            notFoundContent={isFetching ? '正在查找…' : '没有找到这样的同事'}
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}
