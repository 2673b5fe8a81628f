import { useState } from 'react'
import { download } from '@/api/download'
import { Button } from '@/ui/Button'

const PAPERS = [{ Kind: 'delivery', label: '打印送货单' }, { Kind: 'purchase', label: '打印采购单' }] as const

/** One PDF of the orders, each on pages of its own; a delivery note only where something was sent. */
export function PrintButtons({ orderNos, sent = true, size = 'm', look = 'secondary' }: { orderNos: readonly string[]; sent?: boolean; size?: 's' | 'm'; look?: 'secondary' | 'text' }) {
  const [running, setRunning] = useState<string | null>(null)
  const print = async (Kind: string): Promise<void> => {
    setRunning(Kind)
    try {
      await download('/api/Order/Print', { OrderNos: orderNos, Kind }, { fallback: '订单.pdf' })
    } catch {
      // download() has said why.
    } finally {
      setRunning(null)
    }
  }
  return PAPERS.filter(({ Kind }) => sent || Kind !== 'delivery').map(({ Kind, label }) => (
    <Button key={Kind} size={size} look={look} disabled={!orderNos.length} loading={running === Kind} onClick={() => void print(Kind)}>
      {label}
    </Button>
  ))
}
