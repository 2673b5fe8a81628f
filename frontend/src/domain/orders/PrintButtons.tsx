import { useState } from 'react'
import { tryDownload } from '@/api/download'
import { Button } from '@/ui/Button'
import { toast } from '@/ui/toast'

interface Props {
  orderNos: readonly string[]
  /** The orders with a shipment. Only these have a delivery note. */
  sent: readonly string[]
  size?: 's' | 'm'
  look?: 'secondary' | 'text'
}

const NAMED = 3

/** The order numbers, shortened to the first ones. */
const shortenOrderNos = (orderNos: readonly string[]): string =>
  orderNos.slice(0, NAMED).join('、') + (orderNos.length > NAMED ? ` 等 ${orderNos.length} 单` : '')

/**
 * One PDF with separate pages per order. A delivery note contains shipped orders only and names the
 * others.
 */
export function PrintButtons({ orderNos, sent, size = 'm', look = 'secondary' }: Props) {
  const [running, setRunning] = useState<string | null>(null)
  const unsent = orderNos.filter((orderNo) => !sent.includes(orderNo))
  const print = async (Kind: string, OrderNos: readonly string[]): Promise<boolean> => {
    setRunning(Kind)
    const options = { fallback: '订单.pdf' }
    const isPrinted = await tryDownload('/api/Order/Print', { OrderNos, Kind }, options)
    setRunning(null)
    return isPrinted
  }
  const printNotes = async (): Promise<void> => {
    if ((await print('delivery', sent)) && unsent.length)
      toast.info(`已打印 ${sent.length} 单的送货单；${shortenOrderNos(unsent)} 尚未发货，未打印`)
  }
  return (
    <>
      <Button
        size={size}
        look={look}
        disabled={!sent.length}
        {...(unsent.length && !sent.length ? { title: '尚未发货，没有送货单可打印' } : {})}
        loading={running === 'delivery'}
        onClick={() => void printNotes()}
      >
        打印送货单{sent.length > 0 && unsent.length > 0 && `（${sent.length}）`}
      </Button>
      <Button
        size={size}
        look={look}
        disabled={!orderNos.length}
        loading={running === 'purchase'}
        onClick={() => void print('purchase', orderNos)}
      >
        打印采购单
      </Button>
    </>
  )
}
