import { Link } from 'react-router-dom'
import type { NoResult } from '@/api/schema'
import { MAX_KEYWORD_LENGTH } from '@/domain/catalog/keywordLength'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { Empty } from '@/ui/States'
import styles from './list.module.css'
import { CLEARED, isTooLong, withValues, type ListState } from './query'

type Dropped = NoResult['Dropped'][number]

/** Returns the query without this filter. */
function without(state: ListState, { Filter, Name }: Dropped): Partial<ListState> {
  if (Filter === 'All') return CLEARED_ALL
  if (Filter === 'Price') return { MinPrice: undefined, MaxPrice: undefined }
  if (Filter === 'BaseUnitPrice')
    return { MinBaseUnitPrice: undefined, MaxBaseUnitPrice: undefined }
  if (Filter === 'Brand') return { Brand: [] }
  if (Filter === 'Attr') return { Attr: withValues(state.Attr, Name, []) }
  return { [Filter]: undefined }
}
const CLEARED_ALL: Partial<ListState> = { ...CLEARED, Cid: undefined, Brand: [], Attr: [] }

const CAP = 10_000
const formatCount = (count: number): string => `${count >= CAP ? `${CAP}+` : count} 件`
/** A keyword short enough for a button. */
const shortenKeyword = (keyword: string): string =>
  keyword.length > 16 ? `${keyword.slice(0, 16)}…` : keyword

/**
 * The empty list: the recognised query, the filters that hide results, and alternative keywords.
 */
export default function NoResults({
  state,
  wayOut,
  onChange,
}: {
  state: ListState
  wayOut: NoResult | undefined
  onChange: (change: Partial<ListState>) => void
}) {
  const filtered =
    (state.Keyword && state.Cid) ||
    state.Brand.length + state.Attr.length > 0 ||
    state.MinPrice ||
    state.MaxPrice ||
    state.BaseUnit ||
    state.MinBaseUnitPrice ||
    state.MaxBaseUnitPrice ||
    state.InStock ||
    state.Agreed
  if (state.Keyword && isTooLong(state))
    return (
      <Empty
        icon="search"
        title={`搜索词最多 ${MAX_KEYWORD_LENGTH} 个字，已输入 ${state.Keyword.length} 个`}
        action={
          <ButtonLink to={paths.products()} look="primary">
            浏览全部商品
          </ButtonLink>
        }
      >
        请删减后再搜索
      </Empty>
    )
  const offered = wayOut?.Dropped ?? []
  const dropped = offered.filter(({ Filter }) => Filter !== 'All')
  // The count without any filter. If there is only one filter, its count is the same.
  const all =
    offered.find(({ Filter }) => Filter === 'All') ??
    (dropped.length === 1 ? dropped.find(({ Filter }) => Filter !== 'Keyword') : undefined)
  const nearWords = wayOut?.NearWords ?? []
  const action = (
    <>
      {filtered ? (
        <Button look="primary" onClick={() => onChange(CLEARED_ALL)}>
          清空筛选条件
        </Button>
      ) : (
        <ButtonLink to={paths.products()} look="primary">
          浏览全部商品
        </ButtonLink>
      )}
      {state.Keyword && (
        <ButtonLink to={paths.inquiry({ keyword: state.Keyword })} icon="chat">
          就“{shortenKeyword(state.Keyword)}”询价
        </ButtonLink>
      )}
    </>
  )
  return (
    <Empty
      icon="search"
      title={
        all
          ? '当前筛选条件下没有商品'
          : state.Keyword
            ? `没有找到与“${state.Keyword}”相关的商品`
            : '没有符合条件的商品'
      }
      action={action}
    >
      {all && (
        <p>
          共 {formatCount(all.Count)}
          {state.Keyword ? `与“${shortenKeyword(state.Keyword)}”相关` : '商品'}
        </p>
      )}
      {!all && !dropped.length && !nearWords.length && (
        <p>{filtered ? '试试放宽筛选条件' : '请检查关键词，或换用商品编码、型号、物料号搜索'}</p>
      )}
      {dropped.length > 0 && (
        <div className={styles.wayOut} role="group" aria-label="放宽条件">
          <b>去掉一项条件试试</b>
          {dropped.map((one) => (
            <button
              key={`${one.Filter}-${one.Name}`}
              type="button"
              onClick={() => onChange(without(state, one))}
            >
              去掉“{one.Label}” <small>{formatCount(one.Count)}</small>
            </button>
          ))}
        </div>
      )}
      {nearWords.length > 0 && (
        <div className={styles.wayOut} role="group" aria-label="相近的词">
          <b>您是不是要找</b>
          {nearWords.map(({ Keyword, Count }) => (
            <Link key={Keyword} to={paths.products({ Keyword })}>
              {Keyword} <small>{formatCount(Count)}</small>
            </Link>
          ))}
        </div>
      )}
    </Empty>
  )
}
