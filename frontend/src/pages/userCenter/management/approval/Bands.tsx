import { Button } from 'antd'
import { Icon } from '@/ui/Icon'
import styles from './rules.module.css'
import { bandName, newBand, getWho, type BandDraft, type StepDraft } from './draft'
import { MoneyInput } from './MoneyInput'
import { CategoriesSelect, DepartmentsSelect } from './Pickers'

const MAX_BANDS = 10

/** The steps that an order of the band takes, in words. */
const getSteps = (steps: readonly StepDraft[], key: string): string =>
  steps
    .filter(({ Band }) => Band === null || Band === key)
    .map(getWho)
    .join(' → ') || '不需要审批'

/** Amount bands and branches (分档): an order takes the first one that fits. */
export function Bands({
  rows,
  steps,
  onChange,
}: {
  rows: readonly BandDraft[]
  steps: readonly StepDraft[]
  onChange: (rows: readonly BandDraft[]) => void
}) {
  const set = (key: string, change: Partial<BandDraft>): void =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <section className={styles.block} aria-label="分档">
      <header>
        <h3>按金额、部门或类目分档</h3>
      </header>
      {rows.length === 0 ? (
        <p className={styles.hint}>不分档：命中规则的订单都按下面的全部步骤审批</p>
      ) : (
        <p className={styles.hint}>
          每张订单只按从上到下第一个符合的档审批；下限不含，上限包含。在步骤中选择它属于哪一档。
        </p>
      )}
      {rows.length > 0 && (
        <table className={styles.bands}>
          <thead>
            <tr>
              <th>档</th>
              <th>金额超过</th>
              <th>金额不超过</th>
              <th>部门</th>
              <th>类目</th>
              <th />
            </tr>
          </thead>
          {rows.map((row, index) => {
            const name = bandName(index)
            return (
              <tbody key={row.key}>
                <tr>
                  <th scope="row">{name}</th>
                  <td data-label="金额超过">
                    <MoneyInput
                      value={row.Above}
                      label={`${name}金额超过`}
                      placeholder="不限"
                      onChange={(Above) => set(row.key, { Above })}
                    />
                  </td>
                  <td data-label="金额不超过">
                    <MoneyInput
                      value={row.UpTo}
                      label={`${name}金额不超过`}
                      placeholder="不限"
                      onChange={(UpTo) => set(row.key, { UpTo })}
                    />
                  </td>
                  <td data-label="部门">
                    <DepartmentsSelect
                      value={row.Departments}
                      label={`${name}的部门`}
                      placeholder="所有部门"
                      onChange={(Departments) => set(row.key, { Departments })}
                    />
                  </td>
                  <td data-label="类目">
                    <CategoriesSelect
                      value={row.Categories}
                      label={`${name}的类目`}
                      placeholder="所有类目"
                      onChange={(Categories) => set(row.key, { Categories })}
                    />
                  </td>
                  <td>
                    <Button
                      type="text"
                      size="small"
                      icon={<Icon name="trash" size={16} label={`删除${name}`} />}
                      onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
                    />
                  </td>
                </tr>
                <tr>
                  <td colSpan={6} className={styles.hint}>
                    {name}的步骤：{getSteps(steps, row.key)}
                  </td>
                </tr>
              </tbody>
            )
          })}
        </table>
      )}
      {rows.length < MAX_BANDS && (
        <Button
          type="dashed"
          icon={<Icon name="plus" size={16} />}
          onClick={() => onChange([...rows, newBand(rows.at(-1)?.UpTo ?? null)])}
        >
          添加一档
        </Button>
      )}
    </section>
  )
}
