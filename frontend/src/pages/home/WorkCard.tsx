import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { WorkbenchBudget } from '@/api/schema'
import { mayRequest } from '@/domain/account/purchasing'
import { workbench, type Workbench } from '@/domain/orders/workbench'
import { boot } from '@/lib/boot'
import { toFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { useSession, type Session } from '@/lib/session'
import { Button, ButtonLink } from '@/ui/Button'
import { Icon, type IconName } from '@/ui/Icon'
import { Loading } from '@/ui/States'
import styles from './work.module.css'

const REASONS = [
  { icon: 'tag', text: '本企业协议价与专属商品' },
  { icon: 'approve', text: '下单前看清审批与预算' },
  { icon: 'order', text: '常购商品一键补货' },
  { icon: 'invoice', text: '月结对账，统一开票' },
] as const

function Guest() {
  return (
    <section className={styles.work} aria-label="登录">
      <h2>登录{boot.Brand.Name}</h2>
      <ul className={styles.reasons}>
        {REASONS.map(({ icon, text }) => (
          <li key={icon}>
            <Icon name={icon} size={18} />
            {text}
          </li>
        ))}
      </ul>
      <ButtonLink to={paths.login()} look="primary" size="l" wide>
        登录
      </ButtonLink>
      <p className={styles.new}>
        还没有企业账号？
        <Link to={paths.help(12)}>了解开户与购物流程</Link>
      </p>
      <p className={styles.hours}>
        客服时间 {boot.Footer.ServiceHours}
        {boot.Footer.Phone && <b>{boot.Footer.Phone}</b>}
      </p>
    </section>
  )
}

const FIGURES: readonly { key: keyof Workbench['Counts']; label: string; to: string }[] = [
  { key: 'PendingApproval', label: '待我审批', to: paths.approvals() },
  { key: 'PendingReceipt', label: '待收货', to: paths.orders({ Status: 'pending_receipt' }) },
  { key: 'PendingPayment', label: '待支付', to: paths.orders({ Status: 'unpaid' }) },
  { key: 'OwnInApproval', label: '审批中', to: paths.orders({ Status: 'pending_approval' }) },
  { key: 'PendingShipment', label: '待发货', to: paths.orders({ Status: 'pending_shipment' }) },
  { key: 'QuotedInquiries', label: '询价已报价', to: paths.inquiries({ Status: 'quoted' }) },
]

/**
 * The first four entries that the user has a right to. Entries without the right are null and are
 * omitted.
 */
const selectFigures = (counts: Workbench['Counts'] | undefined) =>
  FIGURES.filter(({ key }) => !counts || counts[key] !== null).slice(0, 4)

/** The shortcuts of the card. `fills`: the entry is about filling the cart. */
const ENTRIES: readonly { icon: IconName; label: string; to: string; fills?: true }[] = [
  { icon: 'spark', label: '一键选品', to: paths.select(), fills: true },
  { icon: 'list', label: '快速下单', to: paths.quickOrder(), fills: true },
  { icon: 'order', label: '我的订单', to: paths.orders() },
  { icon: 'cart', label: '购物车', to: paths.cart(), fills: true },
  { icon: 'home', label: '工作台', to: paths.workbench() },
  { icon: 'chart', label: '企业排行', to: paths.rank() },
]

/** As many budgets as fit into the card. The workbench lists all of them. */
const BUDGETS = 2

function BudgetLine({ budget }: { budget: WorkbenchBudget }) {
  const all = toFen(budget.Amount)
  const share = all > 0 ? Math.max(0, Math.min(100, (toFen(budget.Available) / all) * 100)) : 0
  return (
    <div className={styles.budget}>
      <span title={budget.Name}>{budget.Name}</span>
      <b>{yuan(budget.Available)}</b>
      <span className={styles.meter} role="img" aria-label={`可用 ${Math.round(share)}%`}>
        <i style={{ width: `${share}%` }} />
      </span>
    </div>
  )
}

function Budgets({ rows }: { rows: readonly WorkbenchBudget[] }) {
  if (!rows.length) return <p className={styles.quiet}>没有可用的预算</p>
  return rows.slice(0, BUDGETS).map((budget) => <BudgetLine key={budget.Id} budget={budget} />)
}

function Member({ person }: { person: Session }) {
  const { uid, nname } = person.User
  const { data, isPending, refetch } = useQuery(workbench(uid))
  return (
    <section className={styles.work} aria-label="我的工作">
      <div className={styles.person}>
        <span className={styles.avatar} aria-hidden>
          {nname.slice(0, 1)}
        </span>
        <div>
          <b>{nname}</b>
          <small>{person.Enterprise?.Name}</small>
        </div>
      </div>
      <div className={styles.figures}>
        {selectFigures(data?.Counts).map(({ key, label, to }) => (
          <Link key={key} to={to} data-some={(data?.Counts[key] ?? 0) > 0}>
            <b>{data?.Counts[key] ?? '–'}</b>
            {label}
          </Link>
        ))}
      </div>
      <div className={styles.budgets}>
        <h3>
          可用预算
          <Link className="touch" to={paths.workbench()}>
            全部
          </Link>
        </h3>
        {isPending && <Loading height={96} />}
        {data && <Budgets rows={data.Budgets.filter(({ IsUsable }) => IsUsable)} />}
        {!data && !isPending && (
          <p className={styles.quiet} role="alert">
            待办与预算没有加载出来
            <Button look="text" size="s" onClick={() => void refetch()}>
              重新加载
            </Button>
          </p>
        )}
      </div>
      <nav className={styles.entries} aria-label="快捷入口">
        {ENTRIES.filter(({ fills }) => !fills || mayRequest(person)).map(({ icon, label, to }) => (
          <Link key={icon} to={to}>
            <Icon name={icon} />
            {label}
          </Link>
        ))}
      </nav>
    </section>
  )
}

/** The user's open tasks, to the right of the banner. A visitor sees an invitation to sign in. */
export function WorkCard() {
  const person = useSession()
  return person ? <Member person={person} /> : <Guest />
}
