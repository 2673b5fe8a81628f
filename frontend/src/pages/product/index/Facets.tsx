import { useState, type ReactNode } from 'react'
import type { Facets as FacetData, ListedProduct } from '@/api/schema'
import { formatMoney } from '@/lib/money'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { onIntent } from '@/ui/intent'
import { BaseUnitPriceFilter, getBaseUnits } from './BaseUnitPriceFilter'
import styles from './list.module.css'
import { valuesOf, withValues, type ListState } from './query'
import type { Option } from './MultiSelect'

type Change = (change: Partial<ListState>) => void
/** Prefetches 多选 when the pointer or the focus comes near. */
const { Part: MultiSelect, ready } = onIntent(
  () => import(/* webpackChunkName: "list-parts" */ './MultiSelect'),
)

const { Part: ActiveFilters } = onIntent(
  () => import(/* webpackChunkName: "list-parts" */ './ActiveFilters'),
)

const Row = ({
  label,
  children,
  tools,
}: {
  label: string
  children: ReactNode
  tools?: ReactNode
}) => (
  <div className={styles.facet} role="group" aria-label={label}>
    <b>{label}</b>
    {children}
    <span className={styles.tools}>{tools}</span>
  </div>
)

const More = ({
  expanded,
  onChange,
}: {
  expanded: boolean
  onChange: (expanded: boolean) => void
}) => (
  <Button look="text" size="s" aria-expanded={expanded} onClick={() => onChange(!expanded)}>
    {expanded ? '收起' : '更多'}
  </Button>
)

/** A filter. A click selects one value; 多选 selects several. */
function Choice({
  label,
  options,
  chosen,
  onChoose,
}: {
  label: string
  options: readonly Option[]
  chosen: readonly string[]
  onChoose: (values: string[]) => void
}) {
  const [expanded, setExpanded] = useState(false)
  const [isSeveral, setSeveral] = useState(false)
  if (!options.length) return null
  const tools = !isSeveral && (
    <>
      {options.length > 8 && <More expanded={expanded} onChange={setExpanded} />}
      <Button
        size="s"
        icon="plus"
        onMouseEnter={ready}
        onFocus={ready}
        onClick={() => setSeveral(true)}
      >
        多选
      </Button>
    </>
  )
  return (
    <Row label={label} tools={tools}>
      <div className={cx(styles.values, (expanded || isSeveral) && styles.expanded)}>
        {isSeveral ? (
          <MultiSelect
            options={options}
            chosen={chosen}
            onChoose={onChoose}
            onClose={() => setSeveral(false)}
          />
        ) : (
          options.map(({ value, label: text, count }) => (
            <button
              key={value}
              type="button"
              aria-pressed={chosen.includes(value)}
              onClick={() =>
                onChoose(chosen.includes(value) ? chosen.filter((one) => one !== value) : [value])
              }
            >
              {text}
              <small>{count}</small>
            </button>
          ))
        )}
      </div>
    </Row>
  )
}

/** Shows 10.00 as 10, because these are range limits and not prices. */
const step = (money: string): string => formatMoney(money).replace(/\.00$/, '')

/** A leading minus stays, so that the form can refuse the price instead of changing it. */
const digits = (text: string): string =>
  (text.trim().startsWith('-') ? '-' : '') + text.replace(/[^\d.]/g, '').slice(0, 10)

function Prices({
  facets,
  state,
  onChange,
}: {
  facets: FacetData
  state: ListState
  onChange: Change
}) {
  const [from, setFrom] = useState(state.MinPrice ?? '')
  const [to, setTo] = useState(state.MaxPrice ?? '')
  const negative = (from + to).includes('-')
  const apply = (): void => {
    if (negative) return
    const [low, high] = from && to && Number(from) > Number(to) ? [to, from] : [from, to]
    onChange({ MinPrice: low || undefined, MaxPrice: high || undefined })
  }
  return (
    <Row label="价格">
      <div className={cx(styles.values, styles.expanded)}>
        {facets.Prices.map(({ MinPrice, MaxPrice, Count }) => (
          <button
            key={MinPrice}
            type="button"
            aria-pressed={state.MinPrice === MinPrice && state.MaxPrice === (MaxPrice ?? undefined)}
            onClick={() => onChange({ MinPrice, MaxPrice: MaxPrice ?? undefined })}
          >
            {MaxPrice ? `${step(MinPrice)}–${step(MaxPrice)}` : `${step(MinPrice)} 以上`}
            <small>{Count}</small>
          </button>
        ))}
        <form
          className={styles.price}
          onSubmit={(event) => {
            event.preventDefault()
            apply()
          }}
        >
          <input
            aria-label="最低价"
            placeholder="最低价"
            inputMode="decimal"
            aria-invalid={negative}
            value={from}
            onChange={(event) => setFrom(digits(event.target.value))}
          />
          –
          <input
            aria-label="最高价"
            placeholder="最高价"
            inputMode="decimal"
            aria-invalid={negative}
            value={to}
            onChange={(event) => setTo(digits(event.target.value))}
          />
          <Button size="s" type="submit">
            确定
          </Button>
          {negative && (
            <span className={styles.refused} role="alert">
              价格不能为负数
            </span>
          )}
        </form>
      </div>
    </Row>
  )
}

/**
 * The subcategories of the current category, or its siblings if it has none. The server chooses. A
 * long list is folded to two lines.
 */
function Categories({
  rows,
  chosen,
  onChange,
}: {
  rows: FacetData['Categories']
  chosen: string | undefined
  onChange: Change
}) {
  const [expanded, setExpanded] = useState(false)
  if (!rows.length) return null
  const isLong = rows.length > 16
  const tools = isLong && <More expanded={expanded} onChange={setExpanded} />
  return (
    <Row label="分类" tools={tools}>
      <div className={cx(styles.values, isLong && !expanded ? styles.twoLines : styles.expanded)}>
        {rows.map(({ CategoryId, Name, Count }) => (
          <button
            key={CategoryId}
            type="button"
            aria-pressed={CategoryId === chosen}
            onClick={() => onChange({ Cid: CategoryId, Attr: [] })}
          >
            {Name}
            <small>{Count}</small>
          </button>
        ))}
      </div>
    </Row>
  )
}

/** The number of attributes shown before 展开更多筛选. */
const FEW = 3

/**
 * The filters above the list. Each count ignores its own filter. Attributes show only with a
 * category or a keyword.
 */
export default function Facets({
  facets,
  rows,
  state,
  onChange,
}: {
  facets: FacetData
  /** The products of the page. Their base units are those that the range of 折合单价 offers. */
  rows: readonly ListedProduct[]
  state: ListState
  onChange: Change
}) {
  // The address holds the brand name, so that the chip is readable even without results. A link may
  // also use the id.
  const brands = facets.Brands.map(({ Name, Count }) => ({
    value: Name,
    label: Name,
    count: Count,
  }))
  const chosen = state.Brand.map(
    (value) => facets.Brands.find(({ BrandId }) => BrandId === value)?.Name ?? value,
  )
  const [isShown, setShown] = useState(false)
  const [hasMore, setMore] = useState(false)
  const isNarrowed = Boolean(state.Cid ?? state.Keyword) || state.Attr.length > 0
  const attributes = isNarrowed ? facets.Attributes : []
  const units = getBaseUnits(rows)
  return (
    <>
      <button
        type="button"
        className={styles.unfold}
        aria-expanded={isShown}
        onClick={() => setShown(!isShown)}
      >
        <Icon name="filter" size={16} />
        筛选
        <Icon name={isShown ? 'up' : 'down'} size={12} />
      </button>
      <section
        className={cx(styles.facets, isShown && styles.unfolded)}
        aria-label="筛选"
        onKeyDown={(event) => event.key === 'Escape' && setShown(false)}
      >
        <ActiveFilters state={{ ...state, Brand: chosen }} onChange={onChange} />
        <Categories
          key={state.Cid ?? ''}
          rows={facets.Categories}
          chosen={state.Cid}
          onChange={onChange}
        />
        <Choice
          label="品牌"
          options={brands}
          chosen={chosen}
          onChoose={(Brand) => onChange({ Brand })}
        />
        {attributes.slice(0, hasMore ? attributes.length : FEW).map(({ Name, Values }) => (
          <Choice
            key={Name}
            label={Name}
            options={Values.map(({ Value, Count }) => ({
              value: Value,
              label: Value,
              count: Count,
            }))}
            chosen={valuesOf(state.Attr, Name)}
            onChoose={(values) => onChange({ Attr: withValues(state.Attr, Name, values) })}
          />
        ))}
        <Prices
          key={`${state.MinPrice}-${state.MaxPrice}`}
          facets={facets}
          state={state}
          onChange={onChange}
        />
        {isNarrowed && (units.length > 0 || state.BaseUnit) && (
          <Row label="折合单价">
            <div className={cx(styles.values, styles.expanded)}>
              <BaseUnitPriceFilter
                key={`${state.BaseUnit ?? units[0]}-${state.MinBaseUnitPrice}-${state.MaxBaseUnitPrice}`}
                units={units}
                state={state}
                onChange={onChange}
              />
            </div>
          </Row>
        )}
        {attributes.length > FEW && (
          <button
            type="button"
            className={styles.moreFacets}
            aria-expanded={hasMore}
            onClick={() => setMore(!hasMore)}
          >
            {hasMore
              ? '收起筛选'
              : `展开更多筛选（${attributes
                  .slice(FEW)
                  .map(({ Name }) => Name)
                  .join('、')}）`}
            <Icon name={hasMore ? 'up' : 'down'} size={12} />
          </button>
        )}
        {isShown && (
          <div className={styles.sheetFoot}>
            <Button look="primary" size="l" wide onClick={() => setShown(false)}>
              查看商品
            </Button>
          </div>
        )}
      </section>
    </>
  )
}
