import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProductDetail } from '@/api/schema'
import { mayUse, menuCodes } from '@/domain/account/account'
import { deliveries, purchases } from '@/domain/catalog/delivery'
import { formatMoney, toFen } from '@/lib/money'
import { useSession } from '@/lib/session'
import { read, write } from '@/lib/storage'
import { formatDate, inDays } from '@/lib/time'
import { Icon } from '@/ui/Icon'
import { onIntent } from '@/ui/intent'
import { Skeleton } from '@/ui/States'
import styles from './detail.module.css'

const amount = (money: string): string => formatMoney(money).replace(/\.00$/, '')

function freight(fee: string, freeFrom: string | null): string {
  if (toFen(fee) === 0) return '免运费'
  return `运费 ${amount(fee)} 元${freeFrom ? `，满 ${amount(freeFrom)} 元免运费` : ''}`
}

/** 送达: the delivery date for the chosen address. The tab remembers the address across products. */
export function Delivery({ product, uid }: { product: ProductDetail; uid: string }) {
  const plain = `预计 ${inDays(product.LeadDays)}送达（${product.LeadDays} 天）`
  const { data, isError } = useQuery(deliveries(uid, product.ProductCode))
  const [chosen, setChosen] = useState(() => read<string>('session', `deliver-to-${uid}`))
  if (!data && !isError) return <Skeleton height={54} />
  const to = data?.find(({ AddressId }) => AddressId === chosen) ?? data?.[0]
  if (!data || !to) return <span className={styles.delivery}>{plain}，以结算页选择的地址为准</span>
  const choose = (id: string): void => {
    setChosen(id)
    write('session', `deliver-to-${uid}`, id)
  }
  return (
    <span className={styles.delivery}>
      <select
        aria-label="收货地址"
        value={to.AddressId}
        onChange={(event) => choose(event.target.value)}
      >
        {data.map(({ AddressId, Address, Receiver, Label }) => (
          <option key={AddressId} value={AddressId}>
            {[Label, Address, Receiver].filter(Boolean).join(' · ')}
          </option>
        ))}
      </select>
      <span>
        预计 <b>{inDays(to.Days)}</b>送达（{to.Days} 天） · {freight(to.Fee, to.FreeFrom)}
      </span>
    </span>
  )
}

const NameDialog = onIntent(() => import(/* webpackChunkName: "product-name" */ './NameDialog'))

/** 编辑自有品名, for users who manage the group. */
export function Naming({ product }: { product: ProductDetail }) {
  const person = useSession()
  const [open, setOpen] = useState(false)
  const isAdmin = person?.User.utype === 'GA'
  const { data } = useQuery({
    ...menuCodes(person?.User.uid ?? ''),
    enabled: person !== null && !isAdmin,
  })
  if (!mayUse('management.group', person, data ?? [])) return null
  return (
    <>
      <button
        type="button"
        className={styles.rename}
        aria-label="编辑自有品名与物料号"
        title="编辑自有品名与物料号"
        onFocus={NameDialog.ready}
        onMouseEnter={NameDialog.ready}
        onClick={() => setOpen(true)}
      >
        <Icon name="edit" size={16} />
      </button>
      {open && <NameDialog.Part product={product} onClose={() => setOpen(false)} />}
    </>
  )
}

/** 同事买过 in one line. The list of colleagues is below. */
export function Bought({ product, uid }: { product: ProductDetail; uid: string }) {
  const { data, isError } = useQuery(purchases(uid, product.ProductCode))
  if (isError) return '—'
  if (!data) return <Skeleton height={22} width={260} />
  if (!data.Times) return '近一年没有采购记录'
  return (
    <a className={styles.signIn} href="#colleagues">
      近一年 {data.People} 人 {data.Times} 次，最近 {formatDate(data.LastAt)}
    </a>
  )
}
export { Tiers } from './Tiers'
