import { useQuery } from '@tanstack/react-query'
import { Field, Select } from '@/ui/Field'
import { regions } from './addresses'

export interface Region {
  Province: string
  City: string
  District: string
  Town: string
}

const LEVELS = [
  { key: 'Province', label: '省份', isNeeded: true },
  { key: 'City', label: '城市', isNeeded: true },
  { key: 'District', label: '区县', isNeeded: false },
  { key: 'Town', label: '街道/乡镇', isNeeded: false },
] as const

interface LevelProps {
  label: string
  isNeeded: boolean
  value: string
  /** The chosen regions above this one; null until they are chosen. */
  above: readonly string[] | null
  error: string | undefined
  onChange: (value: string) => void
}

/**
 * One level of a region. Its options load after the level above is chosen; the value of an older
 * address stays an option.
 */
function Level({ label, isNeeded, value, above, error, onChange }: LevelProps) {
  const [province, city, district] = above ?? []
  const { data, isFetching } = useQuery({
    ...regions(province, city, district),
    enabled: above !== null,
  })
  const names = above ? (data ?? []) : []
  const choices = value && !names.includes(value) ? [value, ...names] : names
  return (
    <Field label={label} required={isNeeded} error={error}>
      <Select
        value={value}
        placeholder={isFetching && !data ? '加载中…' : '请选择'}
        disabled={!above}
        options={choices.map((name) => ({ value: name, label: name }))}
        onChange={onChange}
      />
    </Field>
  )
}

/** 省 市 区县 街道. A change clears the levels below. */
export function RegionFields({
  value,
  errors,
  onChange,
}: {
  value: Region
  errors: Readonly<Record<string, string | undefined>>
  onChange: (change: Region) => void
}) {
  const chosen = LEVELS.map(({ key }) => value[key])
  return LEVELS.map(({ key, label, isNeeded }, index) => {
    const above = chosen.slice(0, index)
    const pick = (name: string): void => {
      const next = { ...value, [key]: name }
      for (const below of LEVELS.slice(index + 1)) next[below.key] = ''
      // 上海市 and 东莞市 are their own city, or their own district.
      onChange(
        key === 'Province' && ['北京市', '天津市', '上海市'].includes(name)
          ? { ...next, City: name }
          : next,
      )
    }
    return (
      <Level
        key={key}
        label={label}
        isNeeded={isNeeded}
        value={value[key]}
        above={above.every(Boolean) ? above : null}
        error={errors[key]}
        onChange={pick}
      />
    )
  })
}
