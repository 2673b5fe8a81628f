import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { Recommended, WorkbenchBudget } from '@/api/schema'
import { boot } from '@/lib/boot'
import { toFen, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { useSession, type Session } from '@/lib/session'
import { ButtonLink } from '@/ui/Button'
import { ProductImage } from '@/ui/ProductImage'
import { Loading } from '@/ui/States'
import { workbench } from './api'
import styles from './home.module.css'

function Guest() {
  return (
    <section className={styles.work} aria-label="登录">
      <div className={styles.guest}>
        <h2>欢迎来到{boot.Brand.Name}</h2>
        <p>登录后查看您企业的专属目录与协议价，在线审批、对账和开票。</p>
        <ButtonLink to={paths.login()} look="primary" size="l" wide>
          登录
        </ButtonLink>
        <ButtonLink to={paths.products()} size="l" wide>
          先逛逛
        </ButtonLink>
        <p>服务时间：{boot.Footer.ServiceHours}</p>
      </div>
    </section>
  )
}

function BudgetLine({ budget }: { budget: WorkbenchBudget }) {
  const all = toFen(budget.Amount)
  const share = all > 0 ? Math.max(0, Math.min(100, (toFen(budget.Available) / all) * 100)) : 0
  return (
    <div className={styles.budget}>
      <span>{budget.Name}可用</span>
      <b>{yuan(budget.Available)}</b>
      <span className={styles.meter} role="img" aria-label={`可用 ${Math.round(share)}%`}>
        <i style={{ width: `${share}%` }} />
      </span>
    </div>
  )
}

function Often({ rows }: { rows: readonly Recommended[] }) {
  if (!rows.length) return null
  return (
    <div className={styles.often}>
      <h3>常购</h3>
      {rows.slice(0, 4).map(({ ProductCode, ImageUrl, CustomerProductName }) => (
        <Link key={ProductCode} to={paths.product(ProductCode)}>
          <ProductImage src={ImageUrl} alt="" />
          <span>{CustomerProductName}</span>
        </Link>
      ))}
    </div>
  )
}

function Member({ person }: { person: Session }) {
  const { uid, nname } = person.User
  const { data, isPending } = useQuery(workbench(uid))
  const budget = data?.Budgets[0]
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
        <Link to={paths.approvals()}>
          <b>{data?.Counts.PendingApproval ?? '–'}</b>
          待我审批
        </Link>
        <Link to={paths.orders({ Status: 'pending_receipt' })}>
          <b>{data?.Counts.PendingReceipt ?? '–'}</b>
          待收货
        </Link>
      </div>
      {isPending && <Loading height={250} />}
      {budget && <BudgetLine budget={budget} />}
      {data && <Often rows={data.FrequentlyBought} />}
    </section>
  )
}

/** What waits for this person, at the right of the banner. */
export function WorkCard() {
  const person = useSession()
  return person ? <Member person={person} /> : <Guest />
}
