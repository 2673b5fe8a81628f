import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { orderAddresses } from '@/domain/account/addresses'
import type { CheckoutForm, Preview } from '@/domain/cart/checkout'
import { Button } from '@/ui/Button'
import { Loading } from '@/ui/States'
import { Tag } from '@/ui/Small'
import { Choice, Problem } from './Choice'
import { getChosen, getProblem, type Set } from './form'
import styles from './submit.module.css'

const FEW = 3
const Split = lazy(() => import(/* webpackChunkName: "split" */ './Split'))
const AddressDialog = lazy(async () => ({
  default: (await import(/* webpackChunkName: "address" */ '@/domain/account/AddressDialog'))
    .AddressDialog,
}))

/** Puts all goods on one address, as the start of a split. */
const whole = (
  shown: Preview,
  address: string | undefined,
): NonNullable<CheckoutForm['Deliveries']>[number] => ({
  AddressId: address ?? '',
  Lines: shown.Lines.map(({ CartItemId, Quantity }) => ({ CartItemId, Quantity })),
})

/**
 * The delivery address: the selected one first, the others behind one click, and a form for a new
 * one.
 */
export function Addresses({
  uid,
  form,
  shown,
  set,
}: {
  uid: string
  form: CheckoutForm
  shown: Preview
  set: Set
}) {
  const { data, error, isPending, refetch } = useQuery({
    ...orderAddresses(uid),
    enabled: uid !== '',
  })
  const [all, setAll] = useState(false)
  const [isAdding, setAdding] = useState<boolean | null>(null)
  // The first three keep their place when another one is selected. A selected address from the
  // folded part joins them.
  const [first] = useState(shown.Address?.Id)
  const chosen = getChosen(form.AddressId, data?.Items ?? [], shown.Address?.Id)
  const rows = (data?.Items ?? []).toSorted(
    (one, other) => Number(other.Id === first) - Number(one.Id === first),
  )
  const visible = all ? rows : rows.filter((row, index) => index < FEW || row.Id === chosen)
  return (
    <section className={styles.card} aria-label="收货地址">
      <header className={styles.head}>
        <h2>收货地址</h2>
        <span>
          {!form.Deliveries && rows.length > 1 && shown.Lines.length > 0 && (
            <Button
              look="text"
              size="s"
              onClick={() => set({ Deliveries: [whole(shown, chosen)], AddressId: undefined })}
            >
              多地址收货
            </Button>
          )}
          <Button look="text" size="s" icon="plus" onClick={() => setAdding(true)}>
            新增地址
          </Button>
        </span>
      </header>
      <Problem field="AddressId" text={getProblem(shown, 'AddressId')} />
      {isPending && <Loading height={84} />}
      {error && !data && (
        <p className={styles.problem} role="alert">
          地址暂时无法显示，将送至右侧所示的地址。
          <Button look="text" size="s" onClick={() => void refetch()}>
            重新加载
          </Button>
        </p>
      )}
      {form.Deliveries && data && (
        <Suspense fallback={<Loading height={240} />}>
          <Split
            uid={uid}
            shown={shown}
            addresses={rows}
            set={set}
            onSingle={() => set({ Deliveries: undefined })}
          />
        </Suspense>
      )}
      {!form.Deliveries && (
        <>
          <div className={styles.addresses} role="radiogroup" aria-label="选择收货地址">
            {visible.map((row) => (
              <Choice
                key={row.Id}
                name="address"
                checked={row.Id === chosen}
                className={styles.address}
                onChoose={() => set({ AddressId: row.Id })}
              >
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
        </>
      )}
      {isAdding !== null && (
        <Suspense fallback={null}>
          <AddressDialog
            uid={uid}
            open={isAdding}
            onClose={() => setAdding(false)}
            onSaved={(Id) => !form.Deliveries && set({ AddressId: Id })}
          />
        </Suspense>
      )}
    </section>
  )
}
