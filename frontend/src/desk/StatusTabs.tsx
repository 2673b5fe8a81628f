import { Skeleton } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'

export interface StatusTab {
  Code: string
  Name: string
  Count: number
}

interface Props {
  label: string
  /** The tabs of the list's answer; undefined while it loads. */
  tabs: readonly StatusTab[] | undefined
  /** Tabs shown although they are empty. Default: all. */
  always?: ReadonlySet<string> | undefined
  value: string | undefined
  onChange: (Status: string) => void
  /** Loading failed: show no placeholder. */
  hasFailed: boolean
}

/**
 * The states of a list with their counts. A placeholder of the same height is shown while they
 * load.
 */
export function StatusTabs({ label, tabs, always, value = '', onChange, hasFailed }: Props) {
  if (!tabs) return hasFailed ? null : <Skeleton height={43} />
  const shown = tabs.filter(
    ({ Code, Count }) => !always || always.has(Code) || Count > 0 || Code === value,
  )
  return (
    <Tabs
      label={label}
      value={value}
      tabs={shown.map(({ Code, Name, Count }) => ({ key: Code, label: Name, count: Count }))}
      onChange={onChange}
    />
  )
}
