import { useState } from 'react'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { HelpLink } from '@/ui/HelpLink'
import { Stepper } from '@/ui/Stepper'
import { toast } from '@/ui/toast'
import styles from './orders.module.css'
import { useReceiveOrder, type OrderRow } from './orders'

/** What has arrived, line by line; all that is on its way unless told otherwise. */
export function ReceiveDialog({ order, onClose }: { order: OrderRow; onClose: () => void }) {
  const receive = useReceiveOrder()
  const coming = order.Lines.filter((line) => line.ShippedQuantity > line.ReceivedQuantity)
  const [arrived, setArrived] = useState<Record<string, number>>(() => Object.fromEntries(coming.map((line) => [line.Id, line.ShippedQuantity - line.ReceivedQuantity])))
  const lines = coming.map((line) => ({ Id: line.Id, Quantity: arrived[line.Id] ?? 0 })).filter(({ Quantity }) => Quantity > 0)
  return (
    <Dialog
      title="确认收货"
      open
      onClose={onClose}
      width={640}
      footer={
        <>
          <Button onClick={onClose}>返回</Button>
          <Button
            look="primary"
            loading={receive.isPending}
            disabled={!lines.length}
            onClick={() => receive.mutate({ OrderNo: order.OrderNo, Lines: lines }, { onSuccess: () => toast.success('已确认收货'), onSettled: onClose })}
          >
            确认收到 {lines.length} 种商品
          </Button>
        </>
      }
    >
      <p>
        请按实际到货填写，未到的部分可以以后再收。<HelpLink to={paths.help(14)}>收货须知</HelpLink>
      </p>
      <ul className={styles.receive}>
        {coming.map((line) => (
          <li key={line.Id}>
            <span>
              {line.Name}
              <small>
                在途 {line.ShippedQuantity - line.ReceivedQuantity} {line.Unit}
              </small>
            </span>
            <Stepper
              min={0}
              max={line.ShippedQuantity - line.ReceivedQuantity}
              value={arrived[line.Id] ?? 0}
              size="s"
              label={`${line.Name}的到货数量`}
              onChange={(quantity) => setArrived({ ...arrived, [line.Id]: quantity })}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
