import { useState } from 'react'
import { isApiError } from '@/api/errors'
import { useReview, type OrderReviews } from '@/domain/reviews/reviews'
import { getProductTitle } from '@/lib/productTitle'
import { formatDate } from '@/lib/time'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import { toast } from '@/ui/toast'
import { useIsUploading } from '@/ui/useUploads'
import { EMPTY, buildReviewLine, type Draft } from './draft'
import { Fields } from './Fields'
import { Goods } from './Goods'
import styles from './review.module.css'

const NEEDED = '请给至少一件商品评分'

/** One form for all lines without a review. Lines without stars can be reviewed later. */
export function Write({ data }: { data: OrderReviews }) {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  const [isAnonymous, setAnonymous] = useState(false)
  const [wrong, setWrong] = useState('')
  const review = useReview(data.OrderNo)
  const isUploading = useIsUploading()
  const lines = data.Lines.filter(({ AllowedActions }) => AllowedActions.includes('write'))
  if (!lines.length) return null
  const chosen = lines.filter(({ OrderLineId }) => drafts[OrderLineId]?.Stars)
  const set = (id: string, draft: Draft): void => {
    setWrong('')
    setDrafts((now) => ({ ...now, [id]: draft }))
  }
  const send = async (event: React.FormEvent): Promise<void> => {
    event.preventDefault()
    if (!chosen.length) return setWrong(NEEDED)
    try {
      await review.mutateAsync({
        Anonymous: isAnonymous,
        Lines: chosen.map(({ OrderLineId }) =>
          buildReviewLine(OrderLineId, drafts[OrderLineId] ?? EMPTY),
        ),
      })
      setDrafts({})
      toast.success('评价已发表，感谢您的反馈')
    } catch (error) {
      setWrong(isApiError(error) ? error.message : '')
    }
  }
  return (
    <form
      className={styles.card}
      onSubmit={(event) => void send(event)}
      noValidate
      aria-label="待评价商品"
    >
      <h2>
        待评价{' '}
        <small>
          {lines.length} 件{data.ReviewUntil && `，${formatDate(data.ReviewUntil)} 前可评价`}
        </small>
      </h2>
      {lines.map((line) => (
        <Goods key={line.OrderLineId} line={line}>
          <Fields
            id={line.OrderLineId}
            name={getProductTitle(line)}
            tags={data.Tags}
            draft={drafts[line.OrderLineId] ?? EMPTY}
            onChange={(draft) => set(line.OrderLineId, draft)}
          />
        </Goods>
      ))}
      <div className={styles.foot}>
        <Checkbox checked={isAnonymous} onChange={setAnonymous}>
          匿名评价
        </Checkbox>
        <small>
          {isAnonymous ? '商品页和同事都看不到您的姓名' : '其他企业只看到您的姓氏，同事能看到姓名'}
        </small>
        {wrong && (
          <p role="alert" className={styles.error}>
            {wrong}
          </p>
        )}
        <Button
          type="submit"
          look="primary"
          size="l"
          loading={review.isPending}
          disabled={isUploading}
        >
          发表评价{chosen.length > 1 ? `（${chosen.length} 件）` : ''}
        </Button>
      </div>
    </form>
  )
}
