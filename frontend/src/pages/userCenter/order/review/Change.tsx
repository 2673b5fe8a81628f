import { useState } from 'react'
import { isApiError } from '@/api/errors'
import {
  useEditReview,
  useFollowUp,
  type OrderReviews,
  type OwnReview,
  type ReviewedLine,
} from '@/domain/reviews/reviews'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import { toast } from '@/ui/toast'
import { useIsUploading } from '@/ui/useUploads'
import { createDraft, EMPTY, buildReviewLine, type Draft } from './draft'
import { Fields, TextAndPictures } from './Fields'
import styles from './review.module.css'

interface Props {
  data: OrderReviews
  line: ReviewedLine
  onDone: () => void
}

const getErrorText = (error: unknown): string => (isApiError(error) ? error.message : '')

const Foot = ({
  error,
  isBusy,
  label,
  onDone,
}: {
  error: string
  isBusy: boolean
  label: string
  onDone: () => void
}) => {
  const isUploading = useIsUploading()
  return (
    <div className={styles.acts}>
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <Button onClick={onDone}>取消</Button>
      <Button type="submit" look="primary" loading={isBusy} disabled={isUploading}>
        {label}
      </Button>
    </div>
  )
}

/** Change the own review, until somebody answers it. */
export function Edit({ data, line, review, onDone }: Props & { review: OwnReview }) {
  const [draft, setDraft] = useState<Draft>(() => createDraft(review))
  const [isAnonymous, setAnonymous] = useState(review.Anonymous)
  const edit = useEditReview(data.OrderNo)
  const send = async (event: React.FormEvent): Promise<void> => {
    event.preventDefault()
    try {
      await edit.mutateAsync({
        ...buildReviewLine(line.OrderLineId, draft),
        Anonymous: isAnonymous,
      })
    } catch {
      return
    }
    toast.success('评价已修改')
    onDone()
  }
  return (
    <form
      onSubmit={(event) => void send(event)}
      noValidate
      aria-label={`修改对“${getProductTitle(line)}”的评价`}
    >
      <Fields
        id={line.OrderLineId}
        name={getProductTitle(line)}
        tags={data.Tags}
        draft={draft}
        onChange={setDraft}
      />
      <Checkbox checked={isAnonymous} onChange={setAnonymous}>
        匿名评价
      </Checkbox>
      <Foot
        error={getErrorText(edit.error)}
        isBusy={edit.isPending}
        label="保存修改"
        onDone={onDone}
      />
    </form>
  )
}

/** 追评: one follow-up with text and pictures. */
export function FollowUp({ data, line, onDone }: Props) {
  const [draft, setDraft] = useState<Draft>(EMPTY)
  const [isEmpty, setEmpty] = useState(false)
  const followUp = useFollowUp(data.OrderNo)
  const send = async (event: React.FormEvent): Promise<void> => {
    event.preventDefault()
    const { Text, FileIds } = buildReviewLine(line.OrderLineId, draft)
    setEmpty(!Text)
    if (!Text) return
    try {
      await followUp.mutateAsync({ OrderLineId: line.OrderLineId, Text, FileIds })
    } catch {
      return
    }
    toast.success('追加评价已发表')
    onDone()
  }
  return (
    <form
      className={styles.fields}
      onSubmit={(event) => void send(event)}
      noValidate
      aria-label={`追加对“${getProductTitle(line)}”的评价`}
    >
      <TextAndPictures
        draft={draft}
        onChange={setDraft}
        label="追加评价"
        placeholder="用过一段时间后觉得怎么样？每件商品可追加一次"
      />
      <Foot
        error={isEmpty ? '请填写追加的评价' : getErrorText(followUp.error)}
        isBusy={followUp.isPending}
        label="发表追评"
        onDone={onDone}
      />
    </form>
  )
}
