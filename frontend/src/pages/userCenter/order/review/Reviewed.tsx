import { useState } from 'react'
import type { OrderReviews, OwnReview, ReviewedLine } from '@/domain/reviews/reviews'
import { StatusTag } from '@/desk/StatusTag'
import { formatDate, formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { Tag } from '@/ui/Small'
import { Stars } from '@/ui/Stars'
import { Edit, FollowUp } from './Change'
import { Goods } from './Goods'
import styles from './review.module.css'

const Pictures = ({ pictures, label }: { pictures: OwnReview['Pictures']; label: string }) =>
  pictures.length > 0 && (
    <ul className={styles.pictures} aria-label={label}>
      {pictures.map(({ FileId, Url, Name }) => (
        <li key={FileId}>
          <a href={Url} target="_blank" rel="noreferrer" aria-label={`查看大图 ${Name}`}>
            <img src={Url} alt="" width={72} height={72} />
          </a>
        </li>
      ))}
    </ul>
  )

function ReviewText({ review }: { review: OwnReview }) {
  return (
    <>
      <p className={styles.head}>
        <Stars value={review.Stars} size={16} />
        <span>{review.Author}</span>
        {review.Anonymous && <Tag>匿名</Tag>}
        {review.State === 'hidden' && <StatusTag text="已隐藏" tone="bad" />}
        <time dateTime={review.WrittenAt}>
          {formatTime(review.WrittenAt)}
          {review.EditedAt && '（已修改）'}
        </time>
      </p>
      {review.State === 'hidden' && (
        <p className={styles.hiddenWhy}>
          该评价不在商品页展示：{review.HiddenReason}。修改后客服会重新查看。
        </p>
      )}
      {review.Tags.length > 0 && (
        <p className={styles.chips}>
          {review.Tags.map(({ Code, Name }) => (
            <Tag key={Code} tone="brand">
              {Name}
            </Tag>
          ))}
        </p>
      )}
      <p className={styles.text}>{review.Text || (review.Tags.length ? '' : '未填写文字评价')}</p>
      <Pictures pictures={review.Pictures} label="评价图片" />
      {review.FollowedUpAt && (
        <div className={styles.follow}>
          <p className={styles.head}>
            <b>追评</b>
            <time dateTime={review.FollowedUpAt}>{formatTime(review.FollowedUpAt)}</time>
          </p>
          <p className={styles.text}>{review.FollowUpText}</p>
          <Pictures pictures={review.FollowUpPictures} label="追评图片" />
        </div>
      )}
      {review.RepliedAt && (
        <div className={styles.reply}>
          <p className={styles.head}>
            <b>商家回复</b>
            <time dateTime={review.RepliedAt}>{formatTime(review.RepliedAt)}</time>
          </p>
          <p className={styles.text}>{review.ReplyText}</p>
        </div>
      )}
    </>
  )
}

function Line({ data, line }: { data: OrderReviews; line: ReviewedLine }) {
  const [openForm, setOpenForm] = useState<'edit' | 'follow' | null>(null)
  const done = (): void => setOpenForm(null)
  const may = (action: 'edit' | 'follow_up'): boolean => line.AllowedActions.includes(action)
  const { Review: review } = line
  if (!review)
    return (
      <p className={styles.note}>
        {line.IsReviewed ? '同事已匿名评价，内容不公开署名，可在商品页查看' : '评价期已过'}
      </p>
    )
  if (openForm === 'edit') return <Edit data={data} line={line} review={review} onDone={done} />
  return (
    <>
      <ReviewText review={review} />
      {openForm === 'follow' && <FollowUp data={data} line={line} onDone={done} />}
      {openForm === null && (may('edit') || may('follow_up')) && (
        <p className={styles.acts}>
          {may('edit') && (
            <Button size="s" onClick={() => setOpenForm('edit')}>
              修改评价
            </Button>
          )}
          {may('follow_up') && (
            <Button size="s" onClick={() => setOpenForm('follow')}>
              追加评价
            </Button>
          )}
          <small>
            {may('edit') && line.EditUntil && `${formatDate(line.EditUntil)} 前可修改`}
            {may('edit') && may('follow_up') && '，'}
            {may('follow_up') &&
              line.FollowUpUntil &&
              `${formatDate(line.FollowUpUntil)} 前可追加一次`}
          </small>
        </p>
      )}
    </>
  )
}

/** Existing reviews with their actions, and lines whose review period has ended. */
export function Reviewed({ data }: { data: OrderReviews }) {
  const lines = data.Lines.filter(({ AllowedActions }) => !AllowedActions.includes('write'))
  if (!lines.length) return null
  return (
    <section className={styles.card} aria-label="已评价商品">
      <h2>
        {lines.some(({ IsReviewed }) => IsReviewed) ? '已评价' : '不能评价'}{' '}
        <small>{lines.length} 件</small>
      </h2>
      {lines.map((line) => (
        <Goods key={line.OrderLineId} line={line}>
          <Line data={data} line={line} />
        </Goods>
      ))}
    </section>
  )
}
