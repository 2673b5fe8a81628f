import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMayRequest } from '@/domain/account/purchasing'
import { cart, canBuy, useRemove, useSelect, type Cart, type CartLine } from '@/domain/cart/lines'
import { shortages } from '@/domain/catalog/shortages'
import { paths } from '@/lib/paths'
import { session, useSession } from '@/lib/session'
import { Button, ButtonLink } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Checkbox } from '@/ui/Choice'
import { Empty, ErrorState, Skeleton } from '@/ui/States'
import styles from './cart.module.css'
import { Bar } from './Bar'
import { InvalidLine, Line } from './Line'

export const loader = (client: QueryClient) => () => {
  const uid = session.get()?.User.uid
  if (uid) void client.prefetchQuery(cart(uid))
  return null
}

const Loading = () => (
  <div className={styles.card} aria-busy>
    {[0, 1, 2].map((row) => (
      <div key={row} className={styles.bone}>
        <Skeleton height={80} width={80} />
        <Skeleton height={20} width="50%" />
        <Skeleton height={32} width={120} />
      </div>
    ))}
  </div>
)

export function Component() {
  const uid = useSession()?.User.uid ?? ''
  const mayFill = useMayRequest()
  const { data, error, refetch } = useQuery(cart(uid))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  if (!data.Lines.length)
    return (
      <Empty
        title="购物车还是空的"
        icon="cart"
        action={
          <>
            <ButtonLink to={paths.products()} look="primary">
              {mayFill ? '去选购商品' : '浏览全部商品'}
            </ButtonLink>
            {mayFill && <ButtonLink to={paths.quickOrder()}>按编码快速下单</ButtonLink>}
          </>
        }
      >
        {mayFill
          ? '选好的商品会保存在这里，换一台电脑登录也能看到'
          : '您的角色仅可浏览商品，不能加入购物车；需要采购请联系贵司集团管理员'}
      </Empty>
    )
  return <Lines uid={uid} data={data} />
}

/** A shortage has substitutes; a product outside the catalogue has none. */
const isShort = (line: CartLine): boolean =>
  line.Problem?.Code === 'stock_short' || line.Problem?.Code === 'off_sale'

function Lines({ uid, data }: { uid: string; data: Cart }) {
  const select = useSelect(uid)
  const remove = useRemove(uid)
  const [removing, setRemoving] = useState<string[]>([])
  const good = data.Lines.filter(canBuy)
  const bad = data.Lines.filter((line) => !canBuy(line))
  const chosen = good.filter((line) => line.Selected)
  const { data: helps = [] } = useQuery(
    shortages(
      bad.filter(isShort).map((line) => ({ code: line.ProductCode, quantity: line.Quantity })),
    ),
  )
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>
        我的购物车<small>共 {data.Lines.length} 种商品</small>
      </h1>
      <section className={styles.card} aria-label="可购买的商品">
        <div className={styles.head}>
          <Checkbox
            checked={good.length > 0 && chosen.length === good.length}
            indeterminate={chosen.length > 0 && chosen.length < good.length}
            disabled={!good.length}
            onChange={(Selected) => select.mutate({ Ids: good.map(({ Id }) => Id), Selected })}
          >
            全选
          </Checkbox>
          <span>商品</span>
          <span>单价（含税）</span>
          <span>数量</span>
          <span>小计（含税）</span>
          <span>操作</span>
        </div>
        {good.map((line) => (
          <Line key={line.Id} line={line} uid={uid} onRemove={() => setRemoving([line.Id])} />
        ))}
        {!good.length && <p className={styles.none}>没有可以直接购买的商品，请先处理下面的问题</p>}
      </section>
      {bad.length > 0 && (
        <section className={styles.card} aria-label="需要处理的商品">
          <div className={styles.badHead}>
            <h2>需要处理（{bad.length}）</h2>
            <Button look="text" size="s" onClick={() => setRemoving(bad.map(({ Id }) => Id))}>
              全部移除
            </Button>
          </div>
          {bad.map((line) => (
            <InvalidLine
              key={line.Id}
              line={line}
              uid={uid}
              help={helps.find(({ Product }) => Product.ProductCode === line.ProductCode)}
              onRemove={() => setRemoving([line.Id])}
            />
          ))}
        </section>
      )}
      <Bar
        uid={uid}
        cart={data}
        chosen={chosen}
        onRemove={() => setRemoving(chosen.map(({ Id }) => Id))}
      />
      <Dialog
        title="移除商品"
        open={removing.length > 0}
        onClose={() => setRemoving([])}
        footer={
          <>
            <Button onClick={() => setRemoving([])}>再想想</Button>
            <Button
              look="primary"
              loading={remove.isPending}
              onClick={() => remove.mutate(removing, { onSettled: () => setRemoving([]) })}
            >
              移除
            </Button>
          </>
        }
      >
        {removing.length > 1
          ? `将从购物车移除 ${removing.length} 种商品，确定吗？`
          : '将从购物车移除该商品，确定吗？'}
      </Dialog>
    </div>
  )
}
