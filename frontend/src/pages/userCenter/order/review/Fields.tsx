import { FileUpload } from '@/desk/FileUpload'
import type { OrderReviews } from '@/domain/reviews/reviews'
import { cx } from '@/ui/cx'
import { Field, Textarea } from '@/ui/Field'
import { PICTURES } from '@/ui/pictures'
import { StarChoice } from '@/ui/Stars'
import { MAX_TAGS, MAX_TEXT, setStars, isTagForStars, type Draft } from './draft'
import styles from './review.module.css'

interface Props {
  id: string
  name: string
  tags: OrderReviews['Tags']
  draft: Draft
  onChange: (draft: Draft) => void
  error?: string | undefined
}

/** The text and the pictures of a review or of its 追评. */
export const TextAndPictures = ({
  draft,
  onChange,
  label,
  placeholder,
}: {
  draft: Draft
  onChange: (draft: Draft) => void
  label: string
  placeholder: string
}) => (
  <>
    <Field label={label} hint={`${draft.Text.length} / ${MAX_TEXT}`}>
      <Textarea
        rows={3}
        maxLength={MAX_TEXT}
        placeholder={placeholder}
        value={draft.Text}
        onChange={(event) => onChange({ ...draft, Text: event.target.value })}
      />
    </Field>
    <FileUpload
      value={draft.Files}
      onChange={(Files) => onChange({ ...draft, Files })}
      rules={PICTURES}
      max={9}
      label="上传图片"
      hint="可拖到此处，JPG、PNG、WebP、GIF，最多 9 张；会在商品页公开，请勿拍入单据和姓名"
    />
  </>
)

/** The fields for the review of one line. Only the stars are required. */
export function Fields({ id, name, tags, draft, onChange, error }: Props) {
  const isFull = draft.Tags.length >= MAX_TAGS
  return (
    <div className={styles.fields}>
      <div>
        <StarChoice
          name={`stars-${id}`}
          label={`给“${name}”评分`}
          value={draft.Stars}
          onChange={(stars) => onChange(setStars(draft, stars))}
        />
        {error && (
          <p role="alert" className={styles.error}>
            {error}
          </p>
        )}
      </div>
      {draft.Stars > 0 && (
        <>
          <div className={styles.tags} role="group" aria-label={`“${name}”的标签`}>
            {tags
              .filter(({ Code }) => isTagForStars(Code, draft.Stars))
              .map(({ Code, Name }) => {
                const isSelected = draft.Tags.includes(Code)
                return (
                  <button
                    key={Code}
                    type="button"
                    aria-pressed={isSelected}
                    disabled={isFull && !isSelected}
                    className={cx(isSelected && styles.on)}
                    onClick={() =>
                      onChange({
                        ...draft,
                        Tags: isSelected
                          ? draft.Tags.filter((code) => code !== Code)
                          : [...draft.Tags, Code],
                      })
                    }
                  >
                    {Name}
                  </button>
                )
              })}
          </div>
          <TextAndPictures
            draft={draft}
            onChange={onChange}
            label="评价内容"
            placeholder="说说质量、包装和使用感受，帮助其他采购人选择（选填）"
          />
        </>
      )}
    </div>
  )
}
