import { Form, Input } from 'antd'
import { useState } from 'react'
import { FormDialog } from '@/desk/FormDialog'
import { ReasonDialog } from '@/domain/orders/ReasonDialog'
import {
  useConfirmReturn,
  useShipReturn,
  useWithdrawReturn,
  type ReturnDetail,
} from '@/domain/returns/returns'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { toast } from '@/ui/toast'
import styles from './detail.module.css'

interface Parcel {
  Carrier: string
  TrackingNo: string
}

const DONE: Readonly<Record<string, string>> = {
  return: '退款已收到、金额无误',
  exchange: '换的新品已收到、没有问题',
  repair: '修好的商品已收到、没有问题',
}

/** The actions that the server allows now, each with a confirmation. */
export function Actions({ data }: { data: ReturnDetail }) {
  const [open, setOpen] = useState<'withdraw' | 'ship' | 'confirm' | null>(null)
  const withdraw = useWithdrawReturn(data.ReturnOrderId)
  const ship = useShipReturn(data.ReturnOrderId)
  const confirm = useConfirmReturn(data.ReturnOrderId)
  const may = (action: string): boolean => data.AllowedActions.includes(action)
  const shut = (): void => setOpen(null)
  return (
    <span className={styles.acts}>
      {may('confirm') && (
        <Button look="primary" onClick={() => setOpen('confirm')}>
          确认完成
        </Button>
      )}
      {may('ship') && (
        <Button look="primary" onClick={() => setOpen('ship')}>
          填写寄回运单
        </Button>
      )}
      {may('withdraw') && (
        <Button look="text" onClick={() => setOpen('withdraw')}>
          撤销申请
        </Button>
      )}
      <FormDialog<Parcel>
        title="填写寄回运单"
        okText="提交"
        open={open === 'ship'}
        onClose={shut}
        onSubmit={async (values) =>
          ship.mutateAsync(values).then(() => toast.success('已登记，我们收到后会尽快检测'))
        }
      >
        <p className={styles.sendTo}>请寄到：{data.SendTo}</p>
        <Form.Item
          name="Carrier"
          label="承运商"
          rules={[{ required: true, whitespace: true, message: '请填写承运商' }]}
        >
          <Input maxLength={40} placeholder="如：顺丰速运" />
        </Form.Item>
        <Form.Item
          name="TrackingNo"
          label="运单号"
          rules={[{ required: true, whitespace: true, message: '请填写运单号' }]}
        >
          <Input maxLength={60} />
        </Form.Item>
      </FormDialog>
      <ReasonDialog
        key={`withdraw-${open ?? ''}`}
        title="撤销申请"
        text={
          data.Status === 'pending_receipt'
            ? '商品已在寄回途中，撤销后我们会联系您退还。仍在售后期内可以重新申请。'
            : '撤销后商品不再退回，仍在售后期内可以重新申请。'
        }
        label="撤销原因"
        confirm="确认撤销"
        required
        danger
        open={open === 'withdraw'}
        isBusy={withdraw.isPending}
        onClose={shut}
        onConfirm={(reason) =>
          withdraw.mutate(reason, {
            onSuccess: () => {
              shut()
              toast.success('申请已撤销')
            },
          })
        }
      />
      <Dialog
        title="确认完成"
        open={open === 'confirm'}
        onClose={shut}
        footer={
          <>
            <Button onClick={shut}>返回</Button>
            <Button
              look="primary"
              loading={confirm.isPending}
              onClick={() =>
                confirm.mutate(undefined, {
                  onSuccess: () => toast.success('售后已完成'),
                  onSettled: shut,
                })
              }
            >
              确认完成
            </Button>
          </>
        }
      >
        <p>请确认{DONE[data.Kind] ?? '处理结果无误'}。确认后本售后单结束；有疑问请先给客服留言。</p>
      </Dialog>
    </span>
  )
}
