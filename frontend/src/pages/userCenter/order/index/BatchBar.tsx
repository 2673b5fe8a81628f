import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@/api/call'
import { ExportButton } from '@/desk/ExportButton'
import { CartButton } from '@/domain/cart/CartButton'
import { LeftOut, type LeftOutRow } from '@/domain/orders/LeftOut'
import { useDocumentWrite } from '@/domain/documents'
import type { OrderRow } from '@/domain/orders/orders'
import { PrintButtons } from '@/domain/orders/PrintButtons'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import { Dialog } from '@/ui/Dialog'
import { toast } from '@/ui/toast'
import type { OrderFilters } from './filters'
import styles from './order.module.css'

interface Props {
  rows: readonly OrderRow[]
  ticked: ReadonlySet<string>
  filters: OrderFilters
  onTick: (orderNos: readonly string[]) => void
}

/**
 * Select all orders of the page; receive, reorder, print or export the selection. Without a
 * selection the export contains all filtered orders.
 */
export function BatchBar({ rows, ticked, filters, onTick }: Props) {
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const [leftOut, setLeftOut] = useState<LeftOutRow[]>([])
  const chosen = rows.filter(({ OrderNo }) => ticked.has(OrderNo))
  const OrderNos = chosen.map(({ OrderNo }) => OrderNo)
  const coming = chosen
    .filter(({ AllowedActions }) => AllowedActions.includes('receive'))
    .map(({ OrderNo }) => OrderNo)
  const sent = chosen
    .filter(({ Lines }) => Lines.some(({ ShippedQuantity }) => ShippedQuantity > 0))
    .map(({ OrderNo }) => OrderNo)
  const receive = useDocumentWrite((orderNos: string[]) =>
    call('post', '/api/Order/BatchReceive', { body: { OrderNos: orderNos } }),
  )
  const reorder = useDocumentWrite((orderNos: string[]) =>
    call('post', '/api/Order/BatchReorder', { body: { OrderNos: orderNos } }),
  )
  const { PageIndex: _index, PageSize: _size, ...wanted } = filters
  const again = (): void =>
    reorder.mutate(OrderNos, {
      onSuccess: ({ Added, LeftOut: missing }) => {
        if (missing.length) return setLeftOut(missing)
        toast.success(`已将 ${Added} 种商品加入购物车`)
        void navigate(paths.cart())
      },
    })
  const confirm = (): void =>
    receive.mutate(coming, {
      onSuccess: ({ Done, Results }) => {
        const refused = Results.find(({ Success }) => !Success)
        if (Done) toast.success(`已收货 ${Done} 单`)
        if (refused) toast.error(`${refused.OrderNo}：${refused.RetMessage}`)
        onTick([])
      },
      onSettled: () => setAsking(false),
    })
  return (
    <div className={styles.batch} role="group" aria-label="批量操作">
      <Checkbox
        checked={chosen.length > 0 && chosen.length === rows.length}
        indeterminate={chosen.length > 0 && chosen.length < rows.length}
        onChange={(all) => onTick(all ? rows.map(({ OrderNo }) => OrderNo) : [])}
      >
        {chosen.length ? `已选 ${chosen.length} 单` : '全选本页'}
      </Checkbox>
      <Button size="s" disabled={!coming.length} onClick={() => setAsking(true)}>
        批量收货{coming.length > 0 && `（${coming.length}）`}
      </Button>
      <CartButton
        hidesReason
        size="s"
        disabled={!chosen.length}
        loading={reorder.isPending}
        onClick={again}
      >
        再次购买
      </CartButton>
      <PrintButtons size="s" orderNos={OrderNos} sent={sent} />
      <span className={styles.export}>
        <ExportButton
          url="/api/Order/Export"
          body={{ ...wanted, OrderNos }}
          label={chosen.length ? '导出所选' : '导出全部'}
        />
      </span>
      <Dialog
        title="批量收货"
        open={isAsking}
        onClose={() => setAsking(false)}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>返回</Button>
            <Button look="primary" loading={receive.isPending} onClick={confirm}>
              确认收货
            </Button>
          </>
        }
      >
        <p>将确认收到所选 {coming.length} 单的全部在途商品。如有少件或破损，请在订单中逐行收货。</p>
      </Dialog>
      <LeftOut rows={leftOut} onClose={() => setLeftOut([])} />
    </div>
  )
}
