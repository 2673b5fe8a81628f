import { useQuery } from '@tanstack/react-query'
import { Tag } from '@/ui/Small'
import { choices, type Choices, type ReportName } from './api'
import { WEEKDAYS, type ReportFilters } from './filters'
import styles from './reports.module.css'

type Shown = 'OwnDepartmentId' | 'Weekday'

function words(key: Shown, value: string, data: Choices | undefined): string {
  if (key === 'Weekday') return `仅${WEEKDAYS[Number(value) - 1] ?? value}`
  return `仅${value === '0' ? '未归属部门' : (data?.Departments.find(({ Id }) => Id === value)?.Name ?? '该部门')}（不含下级）`
}

/** What a click on a chart or a cell has narrowed the lines to, where no filter shows it; each can be taken off. */
export function Chosen({ name, filters, onChange }: { name: ReportName; filters: ReportFilters; onChange: (change: Partial<ReportFilters>) => void }) {
  const { data } = useQuery(choices(name))
  const shown = (['OwnDepartmentId', 'Weekday'] as const).filter((key) => filters[key] !== undefined)
  if (!shown.length) return null
  return (
    <p className={styles.chosen}>
      {shown.map((key) => (
        <Tag key={key} tone="brand" onRemove={() => onChange({ [key]: undefined })}>
          {words(key, filters[key] ?? '', data)}
        </Tag>
      ))}
    </p>
  )
}
