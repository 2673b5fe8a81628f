import { Skeleton } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'

interface Props {
  label: string
  /** As the list's answer counts them; undefined while it is on its way. */
  tabs: readonly { Code: string; Name: string; Count: number }[] | undefined
  /** Those that stand there though nothing is in them; all where nothing is said. */
  always?: ReadonlySet<string>
  value: string | undefined
  onChange: (Status: string) => void
  /** The list has not come: nothing is to be waited for. */
  failed: boolean
}

/** The states of a list, counted; a bone of their height keeps the place until they come. */
export function StatusTabs({ label, tabs, always, value = '', onChange, failed }: Props) {
  if (!tabs) return failed ? null : <Skeleton height={43} />
  const shown = tabs.filter(({ Code, Count }) => !always || always.has(Code) || Count > 0 || Code === value)
  return <Tabs label={label} value={value} tabs={shown.map(({ Code, Name, Count }) => ({ key: Code, label: Name, count: Count }))} onChange={onChange} />
}
