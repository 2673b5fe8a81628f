import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import type { ProductDetail } from '@/api/schema'
import { productQuestions, type ProductQuestion } from '@/domain/questions/questions'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { formatDate } from '@/lib/time'
import { Button } from '@/ui/Button'
import { Input } from '@/ui/Field'
import { Pager } from '@/ui/Pager'
import { Tag } from '@/ui/Small'
import { Empty, ErrorState, Loading } from '@/ui/States'
import own from './Questions.module.css'

const AskDialog = lazy(() => import(/* webpackChunkName: "product-ask" */ './AskDialog'))

type Scope = 'all' | 'ours'
const SCOPES: readonly { scope: Scope; label: string }[] = [
  { scope: 'all', label: '全部' },
  { scope: 'ours', label: '本集团的提问' },
]
const SIZE = 10
const SIZES = [10, 20, 50]

const Row = ({ row }: { row: ProductQuestion }) => (
  <li className={own.row}>
    <p>
      <i aria-hidden>问</i>
      <span>{row.Question}</span>
    </p>
    <p className={own.reply}>
      <i aria-hidden>答</i>
      <span>{row.Answer || '等待平台客服回答'}</span>
    </p>
    <small>
      {row.Asker} 提问于 {formatDate(row.AskedAt)}
      {row.AnsweredAt && ` · 平台客服回答于 ${formatDate(row.AnsweredAt)}`}{' '}
      {row.IsOwn && <Tag tone="brand">我</Tag>} {!row.IsPublic && <Tag>仅本集团可见</Tag>}
    </small>
  </li>
)

/** 商品问答: search the answered questions, and ask. */
export default function Questions({ product }: { product: ProductDetail }) {
  const uid = useSession()?.User.uid ?? ''
  const navigate = useNavigate()
  const [words, setWords] = useState('')
  const [Keyword, setKeyword] = useState('')
  const [scope, setScope] = useState<Scope>('all')
  const [page, setPage] = useState({ PageIndex: 1, PageSize: SIZE })
  const [isAsking, setIsAsking] = useState(false)
  const { data, error, refetch, isPlaceholderData } = useQuery(
    productQuestions(uid, product.ProductCode, { Keyword, Scope: uid ? scope : 'all', ...page }),
  )
  const show = (next: { Keyword?: string; scope?: Scope }): void => {
    if (next.Keyword !== undefined) setKeyword(next.Keyword)
    if (next.scope !== undefined) setScope(next.scope)
    setPage((now) => ({ ...now, PageIndex: 1 }))
  }
  const clear = (): void => {
    setWords('')
    show({ Keyword: '' })
  }
  return (
    <>
      <h2>
        商品问答 <small>由平台客服回答</small>
      </h2>
      <div className={own.bar}>
        <form
          role="search"
          onSubmit={(event) => {
            event.preventDefault()
            show({ Keyword: words.trim() })
          }}
        >
          <Input
            type="search"
            icon="search"
            value={words}
            maxLength={60}
            aria-label="搜索问答"
            placeholder="搜索问题和回答"
            onChange={(event) => setWords(event.target.value)}
          />
          <Button type="submit">搜索</Button>
        </form>
        {uid && (
          <div className={own.scopes} role="group" aria-label="问答范围">
            {SCOPES.map((one) => (
              <button
                key={one.scope}
                type="button"
                aria-pressed={one.scope === scope}
                onClick={() => show({ scope: one.scope })}
              >
                {one.label}
              </button>
            ))}
          </div>
        )}
        <Button
          look="tint"
          onClick={() =>
            uid ? setIsAsking(true) : void navigate(paths.login(paths.product(product.ProductCode)))
          }
        >
          我要提问
        </Button>
      </div>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={120} />}
      {data && !data.Items.length && (
        <Empty
          icon="chat"
          title={Keyword ? '没有找到相关的问答' : '还没有问答'}
          action={Keyword && <Button onClick={clear}>清除搜索</Button>}
        >
          {Keyword ? '换个词试试，或直接提问' : '有疑问可以直接提问，平台客服回答后会通知您'}
        </Empty>
      )}
      {data && data.Items.length > 0 && (
        <ul aria-busy={isPlaceholderData}>
          {data.Items.map((row) => (
            <Row key={`${row.AskedAt}-${row.Question}`} row={row} />
          ))}
        </ul>
      )}
      {data && data.Total > SIZE && (
        <Pager
          total={data.Total}
          pageIndex={data.PageIndex}
          pageSize={data.PageSize}
          sizes={SIZES}
          onChange={setPage}
        />
      )}
      {uid && (
        <p>
          <Link className="touch" to={paths.questions()}>
            查看我的全部提问
          </Link>
        </p>
      )}
      {isAsking && (
        <Suspense>
          <AskDialog
            product={product}
            onClose={() => setIsAsking(false)}
            onAsked={() => {
              setIsAsking(false)
              setWords('')
              show({ Keyword: '', scope: 'ours' })
            }}
          />
        </Suspense>
      )}
    </>
  )
}
