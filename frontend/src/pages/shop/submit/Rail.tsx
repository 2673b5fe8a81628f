import { isRefused, type CheckoutForm, type Preview } from '@/domain/cart/checkout'
import { addressLine } from '@/lib/address'
import { subtractInFen, sum, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { HelpLink } from '@/ui/HelpLink'
import { Budget } from './Budget'
import { Chain, getFirst, Refused } from './Chain'
import { goTo, getPlace, type Set } from './form'
import styles from './submit.module.css'
import { useRailHeight } from './useRailHeight'

/** Short texts for problems that the rail explains in full above. */
const SHORT_TEXTS: Readonly<Record<string, string>> = { budget_exceeded: '所选预算余额不足' }

/** The problems that block the order, each with a link to its place. */
function Open({ problems }: { problems: Preview['Problems'] }) {
  return (
    <div className={styles.open}>
      <p>还有 {problems.length} 处需要处理，处理后即可提交</p>
      <ul>
        {problems.map((problem) => {
          const place = getPlace(problem)
          return (
            <li key={`${problem.CartItemId ?? ''}${problem.Field}${problem.Code}`}>
              <span>{SHORT_TEXTS[problem.Code] ?? problem.Message}</span>
              {place && (
                <Button look="text" size="s" onClick={() => goTo(place)}>
                  去处理
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Announces the change to screen readers, in one sentence. */
function describeChange(shown: Preview): string {
  const { Approval, Amounts, Budget: budget, Problems } = shown
  const approval = isRefused(shown)
    ? '本单不能提交'
    : Approval.Needed
      ? `需要审批，由${getFirst(Approval)}先审`
      : '无需审批'
  const over = budget && subtractInFen(budget.After, '0.00') < 0
  const left = budget
    ? `，预算下单后${over ? '超出' : '剩余'} ${yuan(budget.After.replace('-', ''))}`
    : ''
  return `应付总额 ${yuan(Amounts.Total)}，${approval}${left}${Problems.length ? `，还有 ${Problems.length} 处需要处理` : ''}`
}

function Amounts({ amounts }: { amounts: Preview['Amounts'] }) {
  return (
    <dl className={styles.figures}>
      <dt>商品金额（含税）</dt>
      <dd>{yuan(amounts.Goods)}</dd>
      <dt>其中未税</dt>
      <dd>{yuan(sum([amounts.Goods, `-${amounts.Tax}`]))}</dd>
      <dt>其中税额</dt>
      <dd>{yuan(amounts.Tax)}</dd>
      <dt>
        运费 <HelpLink to={paths.help(13)}>配送说明</HelpLink>
      </dt>
      <dd>{subtractInFen(amounts.Freight, '0.00') === 0 ? '免运费' : yuan(amounts.Freight)}</dd>
    </dl>
  )
}

interface Props {
  form: CheckoutForm
  shown: Preview
  set: Set
  /** Why the preview may not match the current selection, with a retry. Null if it matches. */
  failed: string | null
  /** The answer to the last submit was lost. */
  isUnsure: boolean
  onRetry: () => void
  isCounting: boolean
  isSending: boolean
  onSubmit: () => void
}

/** Sticks beside the form: approval, budget, amounts, submit. */
export default function Rail({
  form,
  shown,
  set,
  failed,
  isUnsure,
  onRetry,
  isCounting,
  isSending,
  onSubmit,
}: Props) {
  const { Problems: problems, Address: to } = shown
  const rail = useRailHeight()
  const label = shown.Approval.Needed
    ? '提交审批'
    : (form.PaymentKind ?? shown.PaymentKind) === 'online'
      ? '提交订单并支付'
      : '提交订单'
  return (
    <aside ref={rail} className={styles.rail} aria-label="审批、预算与金额" aria-busy={isCounting}>
      <div className={styles.known}>
        {isRefused(shown) && <Refused shown={shown} quotationNo={form.QuotationNo ?? ''} />}
        {/* Above the approval, whose length varies: the submit button may cover the lower parts. */}
        <Budget form={form} shown={shown} set={set} />
        {!isRefused(shown) && <Chain approval={shown.Approval} />}
        <section aria-label="金额">
          <Amounts amounts={shown.Amounts} />
        </section>
      </div>
      <section className={styles.send} aria-label="提交">
        {problems.length > 0 && <Open problems={problems} />}
        {failed !== null && (
          <p className={styles.problem} role="alert">
            金额与审批未能更新：{failed}。您填写的内容都在。
            <Button look="text" size="s" loading={isCounting} onClick={onRetry}>
              重新核算
            </Button>
          </p>
        )}
        {isUnsure && !isSending && (
          <p className={styles.problem} role="alert">
            没有收到提交结果，请再次点击提交：同一订单不会重复生成。
          </p>
        )}
        <p className={styles.pay}>
          应付总额
          <strong>{yuan(shown.Amounts.Total)}</strong>
        </p>
        <Button
          look="primary"
          size="l"
          wide
          loading={isSending}
          disabled={problems.length > 0 || isCounting || failed !== null}
          onClick={onSubmit}
        >
          {isCounting ? '正在核算…' : label}
        </Button>
        {to && (
          <p className={styles.quiet}>
            送至 {addressLine(to)}，{to.Receiver} 收
          </p>
        )}
        <p className="visually-hidden" role="status">
          {isCounting ? '' : describeChange(shown)}
        </p>
      </section>
    </aside>
  )
}
