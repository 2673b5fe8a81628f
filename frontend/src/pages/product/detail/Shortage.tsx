import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '@/api/call'
import { useWrite } from '@/api/useWrite'
import type { ProductDetail } from '@/api/schema'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/Button'
import { toast } from '@/ui/toast'
import styles from './detail.module.css'

const shortage = (code: string) =>
  queryOptions({
    queryKey: ['shortage', code],
    queryFn: ({ signal }) =>
      call('get', '/api/Product/{ProductCode}/Shortage', {
        path: { ProductCode: code },
        signal,
        quiet: true,
      }),
  })

/** When a product without stock arrives, and 到货提醒 for the signed-in person. */
export default function Shortage({ product }: { product: ProductDetail }) {
  const code = product.ProductCode
  const person = useSession()
  const { data } = useQuery(shortage(code))
  const remind = useWrite(['shortage'], async (on: boolean): Promise<void> => {
    if (on) await call('post', '/api/RestockReminder', { body: { ProductCode: code }, login: true })
    else
      await call('delete', '/api/RestockReminder/{ProductCode}', {
        path: { ProductCode: code },
      })
    toast.success(on ? '已登记，到货后会提醒您一次' : '已取消到货提醒')
  })
  const reminded = data?.IsReminded ?? false
  return (
    <p className={styles.instead}>
      {data?.ArrivesOn
        ? `预计 ${data.ArrivesOn} 到货${data.Arriving ? ` ${data.Arriving} ${product.Unit}` : ''}`
        : '到货时间待定'}
      {person && (
        <Button
          size="s"
          aria-pressed={reminded}
          loading={remind.isPending}
          disabled={!data}
          onClick={() => remind.mutate(!reminded)}
        >
          {reminded ? '取消到货提醒' : '到货提醒'}
        </Button>
      )}
    </p>
  )
}
