import { Button } from 'antd'
import { Link } from 'react-router-dom'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { cx } from '@/ui/cx'
import type { ReportHead } from './api'
import styles from './reports.module.css'

type Totals = NonNullable<ReportHead['Budgets']>

interface BudgetPanelProps {
  totals: Totals
  /** Puts the budgets that are expected to overrun first in the rows. */
  onOverrunFirst: () => void
}

/** The sums of the budgets of all rows, as on 预算余额. */
export const BudgetPanel = ({ totals, onOverrunFirst }: BudgetPanelProps) => (
  <section className={cx(styles.chart, styles.panel)} aria-label="预算执行">
    <div className={styles.chartHead}>
      <h2>预算执行</h2>
      <Link className={styles.open} to={paths.budgets()}>
        查看预算余额
      </Link>
    </div>
    <p>
      {totals.Count.toLocaleString('en-US')} 个预算，额度合计 <b>{yuan(totals.Budgeted)}</b>
      ；已使用 <b>{yuan(totals.Consumed)}</b>，已预占 <b>{yuan(totals.Reserved)}</b>，可用{' '}
      <b>{yuan(totals.Available)}</b>。
    </p>
    <p>
      按当前进度，含未完成的订单，预计期末使用 <b>{yuan(totals.AtEnd)}</b>
      {totals.Overrunning > 0 ? (
        <>
          ；{totals.Overrunning.toLocaleString('en-US')} 个预算预计超出额度。
          <Button type="link" size="small" onClick={onOverrunFirst}>
            在明细中置顶
          </Button>
        </>
      ) : (
        '，没有预算预计超出额度。'
      )}
    </p>
    <p className={styles.basis}>
      上下级预算合计时只计上级；专项预算的采购已在普通预算内，不计入合计。额度与占用按预算的整个期间；含税金额按所选统计期间，只计直接使用该预算的订单。
    </p>
  </section>
)
