import type { CancelPreview } from '@/domain/cancels/cancels'
import { subtractInFen, yuan } from '@/lib/money'
import styles from './apply.module.css'

function Row({ name, before, after }: { name: string; before: string; after: string }) {
  const isFreightChanged = subtractInFen(before, after) !== 0
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {isFreightChanged && <s>{yuan(before)}</s>} {yuan(after)}
      </dd>
    </div>
  )
}

/** The effect of the cancellation: amounts before and after, and the refund of the difference. */
export function Effect({ data, isBusy }: { data: CancelPreview; isBusy: boolean }) {
  const isDearer = subtractInFen(data.After.Freight, data.Before.Freight) > 0
  const isRefunded = subtractInFen(data.Refund, '0.00') > 0
  return (
    <div aria-busy={isBusy}>
      <dl className={styles.effect} aria-label="取消后金额">
        <Row name="商品金额（含税）" before={data.Before.Goods} after={data.After.Goods} />
        <Row name="其中商品税额" before={data.Before.Tax} after={data.After.Tax} />
        <Row name="运费" before={data.Before.Freight} after={data.After.Freight} />
        <Row name="应付总额" before={data.Before.Total} after={data.After.Total} />
        <div className={styles.sum}>
          <dt>{isRefunded ? '退款金额' : '应付减少'}</dt>
          <dd>{yuan(isRefunded ? data.Refund : data.Reduction)}</dd>
        </div>
      </dl>
      <ul className={styles.hints}>
        {isDearer && (
          <li>取消后商品金额不足免运费标准，运费按剩余商品重新计算；应付总额不会高于取消前。</li>
        )}
        {isRefunded ? (
          <li>退款按原支付方式退回。</li>
        ) : (
          <li>付款方式为{data.PaymentKindText}，未付款项按取消后的金额结算。</li>
        )}
        {data.BudgetName && <li>减少的金额退回预算“{data.BudgetName}”。</li>}
      </ul>
    </div>
  )
}
