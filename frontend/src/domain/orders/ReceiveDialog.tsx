import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { call, type Answer } from '@/api/call'
import { rereadDocuments } from '@/domain/documents'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { HelpLink } from '@/ui/HelpLink'
import { toast } from '@/ui/toast'
import { useIsUploading } from '@/ui/useUploads'
import styles from './orders.module.css'
import type { OrderRow } from './orders'
import { comingOf, firstArrivals, getReceipt } from './receipt'
import { ReceiveLine } from './ReceiveLine'

type Opened = Answer<'/api/Order/{OrderNo}/Receive', 'post'>['Opened']

/** The returns that the claims created, with links. */
const Returns = ({ rows, onClose }: { rows: Opened; onClose: () => void }) => (
  <Dialog
    title="已确认收货"
    open
    onClose={onClose}
    footer={
      <Button look="primary" onClick={onClose}>
        知道了
      </Button>
    }
  >
    <p>少件和破损的商品已生成售后单，客服审核后为您退款或安排取件：</p>
    <ul className={styles.opened}>
      {rows.map(({ ReturnOrderId, Text }) => (
        <li key={Text}>
          {Text}
          {ReturnOrderId ? (
            <Link to={paths.returnOrder(ReturnOrderId)} onClick={onClose}>
              售后单 {ReturnOrderId}
            </Link>
          ) : (
            <small>您没有查看售后单的权限，可联系管理员</small>
          )}
        </li>
      ))}
    </ul>
  </Dialog>
)

/** The quantities that arrived, per line. They start with everything that is on its way. */
export function ReceiveDialog({ order, onClose }: { order: OrderRow; onClose: () => void }) {
  const client = useQueryClient()
  const reread = (): void => void rereadDocuments(client)
  const coming = order.Lines.filter((line) => comingOf(line) > 0)
  const [arrivals, setArrivals] = useState(() => firstArrivals(coming))
  const [opened, setOpened] = useState<Opened>([])
  const body = getReceipt(coming, arrivals)
  const many = body.Lines?.length ?? 0
  const isUploading = useIsUploading()
  const leave = (): void => {
    onClose()
    reread()
  }
  // Reload only when the dialog closes: a completely received order leaves the list, and the
  // dialog would go with it.
  const receive = useMutation({
    mutationFn: () =>
      call('post', '/api/Order/{OrderNo}/Receive', { path: { OrderNo: order.OrderNo }, body }),
    onSuccess: ({ Opened: rows }) => {
      if (rows.length) return setOpened(rows)
      toast.success('已确认收货')
      leave()
    },
    // The form keeps its values, because the refusal says what to change.
    onError: reread,
  })
  if (opened.length) return <Returns rows={opened} onClose={leave} />
  return (
    <Dialog
      title="确认收货"
      open
      onClose={onClose}
      width={680}
      footer={
        <>
          <Button onClick={onClose}>返回</Button>
          <Button
            look="primary"
            loading={receive.isPending}
            disabled={!many || isUploading}
            onClick={() => receive.mutate()}
          >
            确认收到 {many} 种商品
          </Button>
        </>
      }
    >
      <p>
        请按包裹填写到货数量，还没送到的可以以后再收；包裹里少了或坏了的，点“有少件或破损”登记，自动生成售后单。
        <HelpLink to={paths.help(14)}>收货须知</HelpLink>
      </p>
      <ul className={styles.receive}>
        {coming.map((line) => {
          const arrival = arrivals[line.Id]
          return (
            arrival && (
              <ReceiveLine
                key={line.Id}
                line={line}
                arrival={arrival}
                onChange={(now) => setArrivals({ ...arrivals, [line.Id]: now })}
              />
            )
          )
        })}
      </ul>
    </Dialog>
  )
}
