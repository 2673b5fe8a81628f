import { yuan } from '@/lib/money'
import type { Charts, Slice } from './api'
import { DrillLink } from './DrillLink'
import { WEEKDAYS, type ReportFilters } from './filters'
import { short } from './short'
import styles from './reports.module.css'

interface HeatProps {
  title: string
  departments: readonly Slice[]
  cells: Charts['Heat']
  go: (narrowing: Partial<ReportFilters>) => string
}

/** From this share on, white text has a contrast of 4.5 : 1 on the cell; below it, black text. */
const DARK = 0.83
/**
 * A table of departments by weekday. Darker cells have higher figures. Each cell links to its order
 * lines.
 */
export function Heat({ title, departments, cells, go }: HeatProps) {
  const amounts = new Map(cells.map(({ Key, Weekday, Amount }) => [`${Key}-${Weekday}`, Amount]))
  const most = Math.max(1, ...cells.map(({ Amount }) => Number(Amount)))
  return (
    <section className={styles.chart}>
      <div className={styles.chartHead}>
        <h2>{title}</h2>
        {departments.length > 0 && <small>颜色越深金额越高，点击查看明细</small>}
      </div>
      {departments.length === 0 && <p className={styles.none}>所选期间没有数据</p>}
      {departments.length > 0 && (
        <table className={styles.heat}>
          <thead>
            <tr>
              <th scope="col">部门</th>
              {WEEKDAYS.map((word) => (
                <th key={word} scope="col">
                  {word}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {departments.map(({ Key, Name }) => (
              <tr key={Key}>
                <th scope="row" title={Name}>
                  {Name.split(' / ').at(-1)}
                </th>
                {WEEKDAYS.map((word, index) => {
                  const amount = amounts.get(`${Key}-${index + 1}`)
                  const share = Math.max(0, Number(amount ?? 0)) / most
                  return (
                    <td key={word}>
                      {amount !== undefined && (
                        <DrillLink
                          to={go({ OwnDepartmentId: Key, Weekday: String(index + 1) })}
                          title={`${Name} ${word} ${yuan(amount)}`}
                          style={{
                            background: `rgb(20 86 217 / ${(0.06 + 0.94 * share).toFixed(2)})`,
                            color: share > DARK ? '#fff' : '#000',
                          }}
                        >
                          {short(Math.round(Number(amount)))}
                        </DrillLink>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
