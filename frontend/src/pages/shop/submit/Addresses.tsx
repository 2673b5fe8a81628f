import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { addresses } from '@/domain/account/addresses'
import type { CheckoutForm, Preview } from '@/domain/cart/checkout'
import { Button } from '@/ui/Button'
import { Loading } from '@/ui/States'
import { Tag } from '@/ui/Small'
import { Choice, Problem } from './Choice'
import { chosenOf, problemOf, type Set } from './form'
import styles from './submit.module.css'

const FEW = 3
const AddressDialog = lazy(async () => ({ default: (await import(/* webpackChunkName: "address" */ '@/domain/account/AddressDialog')).AddressDialog }))

/** Where the goods go: the chosen one first, the others behind one click, a new one in place. */
export function Addresses({ uid, form, shown, set }: { uid: string; form: CheckoutForm; shown: Preview; set: Set }) {
  const { data, error, isPending, refetch } = useQuery({ ...addresses(uid), enabled: uid !== '' })
  const [all, setAll] = useState(false)
  const [adding, setAdding] = useState<boolean | null>(null)
  // The first three stay where they are when another is chosen; one from behind the fold joins them.
  const [first] = useState(shown.Address?.Id)
  const chosen = chosenOf(form.AddressId, data?.Items ?? [], shown.Address?.Id)
  const rows = (data?.Items ?? []).toSorted((one, other) => Number(other.Id === first) - Number(one.Id === first))
  const visible = all ? rows : rows.filter((row, index) => index < FEW || row.Id === chosen)
  return (
    <section className={styles.card} aria-label="收货地址">
      <header className={styles.head}>
        <h2>收货地址</h2>
        <Button look="text" size="s" icon="plus" onClick={() => setAdding(true)}>
          新增地址
        </Button>
      </header>
      <Problem field="AddressId" text={problemOf(shown, 'AddressId')} />
      {isPending && <Loading height={84} />}
      {error && !data && (
        <p className={styles.problem} role="alert">
          地址暂时无法显示，将送至右侧所示的地址。
          <Button look="text" size="s" onClick={() => void refetch()}>
            重新加载
          </Button>
        </p>
      )}
      <div className={styles.addresses} role="radiogroup" aria-label="选择收货地址">
        {visible.map((row) => (
          <Choice key={row.Id} name="address" checked={row.Id === chosen} className={styles.address} onChoose={() => set({ AddressId: row.Id })}>
            <span className={styles.to}>
              <b>{row.Receiver}</b>
              {row.Mobile}
              {row.IsDefault && <Tag tone="brand">默认</Tag>}
              {row.Id === shown.LastAddressId && <Tag>上次使用</Tag>}
            </span>
            <span>
              {row.Label && <span className={styles.label}>{row.Label}</span>}
              {row.FullText}
            </span>
          </Choice>
        ))}
      </div>
      {rows.length > visible.length || all ? (
        <Button look="text" size="s" icon={all ? 'up' : 'down'} onClick={() => setAll(!all)}>
          {all ? '收起' : `其他 ${rows.length - visible.length} 个地址`}
        </Button>
      ) : null}
      {adding !== null && (
        <Suspense fallback={null}>
          <AddressDialog uid={uid} open={adding} onClose={() => setAdding(false)} onSaved={(Id) => set({ AddressId: Id })} />
        </Suspense>
      )}
    </section>
  )
}
