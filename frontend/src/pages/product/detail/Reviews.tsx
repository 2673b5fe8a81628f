import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProductDetail } from '@/api/schema'
import {
  productReviews,
  type ProductReview,
  type ProductReviews,
  type ReviewQuery,
} from '@/domain/reviews/ofProduct'
import { useSession } from '@/lib/session'
import { formatDate } from '@/lib/time'
import { cx } from '@/ui/cx'
import { Pager } from '@/ui/Pager'
import { Tag } from '@/ui/Small'
import { Stars } from '@/ui/Stars'
import { ErrorState, Loading } from '@/ui/States'
import own from './Reviews.module.css'
import styles from './detail.module.css'

type Summary = ProductReviews['Summary']
type Choice = Pick<ReviewQuery, 'Stars' | 'Kind' | 'Tag'>

const SIZE = 10
const SIZES = [10, 20, 50]

/** The average and the number of reviews per star. A click on a row filters the list. */
function Averages({
  summary,
  choice,
  onChoose,
}: {
  summary: Summary
  choice: Choice
  onChoose: (choice: Choice) => void
}) {
  return (
    <div className={own.summary}>
      <p className={own.average}>
        <b>{summary.Average}</b>
        <Stars value={Number(summary.Average)} size={18} />
        <small>{summary.Count.toLocaleString('en-US')} 条评价</small>
      </p>
      <ul className={own.bars}>
        {summary.Stars.map(({ Stars: stars, Count }) => (
          <li key={stars}>
            <button
              type="button"
              disabled={!Count}
              aria-pressed={choice.Stars === stars}
              onClick={() =>
                onChoose(
                  choice.Stars === stars ? {} : { Stars: stars as NonNullable<Choice['Stars']> },
                )
              }
            >
              <span>{stars} 星</span>
              <i>
                <i style={{ width: `${(Count / summary.Count) * 100}%` }} />
              </i>
              <span>{Count}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Choices({
  summary,
  choice,
  onChoose,
}: {
  summary: Summary
  choice: Choice
  onChoose: (choice: Choice) => void
}) {
  const rows: { key: string; label: string; count: number; choice: Choice }[] = [
    { key: 'all', label: '全部', count: summary.Count, choice: {} },
    ...summary.Kinds.filter(({ Count }) => Count > 0).map(({ Code, Name, Count }) => ({
      key: Code,
      label: Name,
      count: Count,
      choice: { Kind: Code as NonNullable<Choice['Kind']> },
    })),
    ...summary.Tags.map(({ Code, Name, Count }) => ({
      key: Code,
      label: Name,
      count: Count,
      choice: { Tag: Code as NonNullable<Choice['Tag']> },
    })),
  ]
  const same = (other: Choice): boolean =>
    other.Kind === choice.Kind && other.Tag === choice.Tag && other.Stars === choice.Stars
  return (
    <div className={own.choices} role="group" aria-label="筛选评价">
      {rows.map((row) => (
        <button
          key={row.key}
          type="button"
          aria-pressed={same(row.choice)}
          onClick={() => onChoose(row.choice)}
        >
          {row.label} <span>{row.count}</span>
        </button>
      ))}
    </div>
  )
}

const Pictures = ({ pictures }: { pictures: ProductReview['Pictures'] }) =>
  pictures.length > 0 && (
    <ul className={own.pictures} aria-label="评价图片">
      {pictures.map(({ Url }, index) => (
        <li key={Url}>
          <a
            href={Url}
            target="_blank"
            rel="noreferrer"
            aria-label={`查看第 ${index + 1} 张图片的大图`}
          >
            <img src={Url} alt="" width={80} height={80} loading="lazy" />
          </a>
        </li>
      ))}
    </ul>
  )

const Row = ({ review }: { review: ProductReview }) => (
  <li className={own.row}>
    <p className={own.who}>
      <b>{review.Author}</b>
      {review.IsOwn && <Tag tone="brand">我</Tag>}
    </p>
    <div className={own.said}>
      <p className={own.head}>
        <Stars value={review.Stars} />
        <time dateTime={review.WrittenAt}>{formatDate(review.WrittenAt)}</time>
      </p>
      {review.Tags.length > 0 && (
        <p className={own.tags}>
          {review.Tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </p>
      )}
      {review.Text && <p className={own.text}>{review.Text}</p>}
      <Pictures pictures={review.Pictures.filter(({ IsFollowUp }) => !IsFollowUp)} />
      {review.FollowedUpAt && (
        <div className={own.follow}>
          <p className={own.head}>
            <b>追评</b>
            <time dateTime={review.FollowedUpAt}>{formatDate(review.FollowedUpAt)}</time>
          </p>
          <p className={own.text}>{review.FollowUpText}</p>
          <Pictures pictures={review.Pictures.filter(({ IsFollowUp }) => IsFollowUp)} />
        </div>
      )}
      {review.RepliedAt && (
        <p className={cx(own.text, own.reply)}>
          <b>商家回复：</b>
          {review.ReplyText}
        </p>
      )}
    </div>
  </li>
)

/** 商品评价, below the page: the counts, a filter by click, newest first. */
export default function Reviews({ product }: { product: ProductDetail }) {
  const uid = useSession()?.User.uid ?? ''
  const [choice, setChoice] = useState<Choice>({})
  const [page, setPage] = useState({ PageIndex: 1, PageSize: SIZE })
  const { data, error, refetch, isPlaceholderData } = useQuery(
    productReviews(uid, product.ProductCode, { ...choice, ...page }),
  )
  const choose = (chosen: Choice): void => {
    setChoice(chosen)
    setPage((now) => ({ ...now, PageIndex: 1 }))
  }
  return (
    <section id="reviews" className={styles.section} aria-label="商品评价">
      <h2>
        商品评价 <small>均来自已签收的订单</small>
      </h2>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={260} />}
      {data && (
        <>
          <Averages summary={data.Summary} choice={choice} onChoose={choose} />
          <Choices summary={data.Summary} choice={choice} onChoose={choose} />
          <ul aria-busy={isPlaceholderData}>
            {data.Items.map((review) => (
              <Row key={`${review.WrittenAt}-${review.Author}-${review.Text}`} review={review} />
            ))}
          </ul>
          {data.Total > SIZE && (
            <Pager
              total={data.Total}
              pageIndex={data.PageIndex}
              pageSize={data.PageSize}
              sizes={SIZES}
              onChange={setPage}
            />
          )}
        </>
      )}
    </section>
  )
}
