import { yuan } from '@/lib/money'
import { cx } from '@/ui/cx'
import type { ReportHead } from './api'
import { formatChange } from './columns'
import { getLines } from './drill'
import { DrillLink } from './DrillLink'
import type { ReportFilters } from './filters'
import styles from './reports.module.css'

type Savings = NonNullable<ReportHead['Savings']>

const share = (percent: string | null): string => (percent === null ? '—' : `${percent}%`)

/** The saving, the goods on agreement and the tail, each in a sentence. */
const Sentences = ({ data }: { data: Savings }) => (
  <section className={styles.chart} aria-label="节约与合规">
    <div className={styles.chartHead}>
      <h2>节约与合规</h2>
    </div>
    <p>
      与下单时的市场价相比节约 <b>{yuan(data.Saved)}</b>（{share(data.SavedPercent)}
      ），运费与没有市场价的商品不计节约。
    </p>
    <p>
      协议内商品 <b>{yuan(data.Agreed)}</b>，占商品金额 {share(data.AgreedPercent)}；协议外{' '}
      <b>{yuan(data.OffAgreement)}</b>。
    </p>
    <p>
      共采购 {data.Products.toLocaleString('en-US')} 种商品：金额最高的{' '}
      {(data.Products - data.TailProducts).toLocaleString('en-US')} 种占总金额的 80%，其余{' '}
      {data.TailProducts.toLocaleString('en-US')} 种（长尾）合计 <b>{yuan(data.TailAmount)}</b>。
    </p>
  </section>
)

/** The panels of the savings report. Each name links to its order lines. */
export function SavingsPanels({
  data,
  head,
  filters,
}: {
  data: Savings
  head: ReportHead
  filters: ReportFilters
}) {
  const go = (narrowing: Partial<ReportFilters>): string => getLines(filters, head, narrowing)
  return (
    <div className={styles.savings}>
      <Sentences data={data} />
      <section className={styles.chart} aria-label="协议外采购人">
        <div className={styles.chartHead}>
          <h2>协议外采购人前 10</h2>
        </div>
        {data.Buyers.length === 0 && <p>所选期间没有协议外采购</p>}
        {data.Buyers.length > 0 && (
          <table>
            <thead>
              <tr>
                <th scope="col">采购人</th>
                <th scope="col">协议外金额</th>
                <th scope="col">占本人</th>
              </tr>
            </thead>
            <tbody>
              {data.Buyers.map(({ Person, Amount, Percent }) => (
                <tr key={Person.Id}>
                  <td>
                    <DrillLink to={go({ RequesterId: Person.Id, OffAgreement: 'true' })}>
                      {Person.Name}
                    </DrillLink>
                  </td>
                  <td>{yuan(Amount)}</td>
                  <td>{share(Percent)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section className={cx(styles.chart, styles.moves)} aria-label="价格变动">
        <div className={styles.chartHead}>
          <h2>所购商品的价格变动</h2>
        </div>
        {data.PriceMoves.length === 0 && <p>所选期间单价没有变动</p>}
        {data.PriceMoves.length > 0 && (
          <table>
            <thead>
              <tr>
                <th scope="col">商品</th>
                <th scope="col">首次单价</th>
                <th scope="col">最近单价</th>
                <th scope="col">变动</th>
              </tr>
            </thead>
            <tbody>
              {data.PriceMoves.map(
                ({ ProductCode, Name, First, FirstDay, Last, LastDay, Change }) => (
                  <tr key={ProductCode}>
                    <td>
                      <DrillLink to={go({ ProductCode })}>{Name}</DrillLink>
                    </td>
                    <td title={FirstDay}>{yuan(First)}</td>
                    <td title={LastDay}>{yuan(Last)}</td>
                    <td>{formatChange(Change)}</td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        )}
      </section>
    </div>
  )
}
