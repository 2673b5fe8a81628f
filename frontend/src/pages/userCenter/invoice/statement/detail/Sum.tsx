import { DocumentCard } from '@/desk/DocumentPage'
import type { StatementDetail } from '@/domain/invoices/statements'
import { yuan } from '@/lib/money'
import { cx } from '@/ui/cx'
import { FIGURES, type Figure } from './filters'
import styles from './detail.module.css'

const SIGN: Readonly<Record<Figure, string>> = {
  deliveries: '+',
  returns: '−',
  paid: '−',
  invoiced: '',
}

interface Props {
  data: StatementDetail
  figure: string | undefined
  onFigure: (figure: Figure) => void
}

/** The open amount as a sum. Each part links to its lines. */
export function Sum({ data, figure, onFigure }: Props) {
  const part = ({ figure: key, label, of }: (typeof FIGURES)[number]) => (
    <li key={key}>
      {SIGN[key] && <i aria-hidden>{SIGN[key]}</i>}
      <button
        type="button"
        className={cx(styles.figure, figure === key && styles.open)}
        aria-pressed={figure === key}
        onClick={() => onFigure(key)}
      >
        <span>{label}</span>
        <b>{yuan(of(data))}</b>
        <small>查看明细</small>
      </button>
    </li>
  )
  const [invoiced, ...others] = FIGURES.toReversed()
  return (
    <DocumentCard title="应付金额" note="点击金额查看构成它的明细">
      <ul className={styles.sum}>
        <li>
          <div className={styles.figure}>
            <span>期初应付</span>
            <b>{yuan(data.Opening)}</b>
            <small>上期结转</small>
          </div>
        </li>
        {others.toReversed().map(part)}
        <li>
          <i aria-hidden>=</i>
          <div className={cx(styles.figure, styles.closing)}>
            <span>期末应付</span>
            <b>{yuan(data.Closing)}</b>
            <small>结转下期</small>
          </div>
        </li>
        {invoiced && part(invoiced)}
      </ul>
    </DocumentCard>
  )
}
