import { FilterBar } from '@/desk/FilterBar'
import type { SavedPage } from '@/domain/catalog/savedProducts'
import { Tabs } from '@/ui/Tabs'
import type { SavedFilters } from './filters'

interface FilterProps {
  value: SavedFilters
  onChange: (change: Partial<SavedFilters>) => void
  summary: SavedPage['Summary'] | undefined
}

/** The filters 全部, cheaper now, and available now, each with its count over the whole list. */
export const SavedTabs = ({ value, onChange, summary }: FilterProps) => (
  <Tabs
    label="范围"
    value={value.View}
    onChange={(View) => onChange({ View })}
    tabs={[
      { key: '', label: '全部', count: summary?.Total },
      { key: 'dropped', label: '降价', count: summary?.Dropped },
      { key: 'stock', label: '可购买', count: summary?.InStock },
    ]}
  />
)

export const SavedFilter = ({ value, onChange, summary }: FilterProps) => (
  <FilterBar
    value={value}
    onChange={onChange}
    fields={[
      {
        kind: 'text',
        name: 'Keyword',
        label: '关键词',
        placeholder: '名称、型号、编码或物料号',
        width: 220,
      },
      {
        kind: 'select',
        name: 'Cid',
        label: '分类',
        width: 180,
        options: (summary?.Categories ?? []).map(({ CategoryId, Name, Count }) => ({
          value: CategoryId,
          label: `${Name}（${Count}）`,
        })),
      },
    ]}
  />
)
