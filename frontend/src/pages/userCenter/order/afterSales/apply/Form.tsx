import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { fieldMessages, isApiError } from '@/api/errors'
import { FileUpload } from '@/desk/FileUpload'
import { useApply, type ReturnTerms } from '@/domain/returns/returns'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Radio } from '@/ui/Choice'
import { Field, Input, Select, Textarea } from '@/ui/Field'
import { PICTURES } from '@/ui/pictures'
import { toast } from '@/ui/toast'
import { useIsUploading } from '@/ui/useUploads'
import styles from './apply.module.css'
import {
  bodyOf,
  changeDraft,
  chosen,
  firstDraft,
  KINDS,
  findMissing,
  reasonsOf,
  sumWorth,
  type Draft,
} from './draft'
import { Goods } from './Goods'
import { ReturnWay } from './ReturnWay'

interface PartProps {
  draft: Draft
  set: (change: Partial<Draft>) => void
}

const Kinds = ({ draft, set }: PartProps) => (
  <fieldset className={styles.kinds}>
    <legend>售后方式</legend>
    {KINDS.map(({ value, label, text }) => (
      <Radio
        key={value}
        name="kind"
        checked={draft.Kind === value}
        onChange={() => set({ Kind: value })}
      >
        <b>{label}</b>
        <small>{text}</small>
      </Radio>
    ))}
  </fieldset>
)

function Evidence({ draft, set, errors }: PartProps & { errors: Record<string, string> }) {
  return (
    <>
      <Field
        label="问题描述"
        error={errors.Detail}
        hint="请写明现象和数量；破损的请连同外箱和快递面单一起拍照"
      >
        <Textarea
          rows={3}
          maxLength={500}
          value={draft.Detail}
          onChange={(event) => set({ Detail: event.target.value })}
        />
      </Field>
      <section aria-label="凭证图片" className={styles.pictures}>
        <h3>凭证图片</h3>
        <FileUpload
          value={draft.Files}
          onChange={(Files) => set({ Files })}
          rules={PICTURES}
          camera
          max={9}
          label="上传图片"
          hint="可将图片拖到此处，支持 JPG、PNG、WebP、GIF，最多 9 张"
        />
        {errors.FileIds && (
          <p role="alert" className={styles.error}>
            {errors.FileIds}
          </p>
        )}
      </section>
      <Field label="视频链接" error={errors.VideoUrl} hint="选填，以 https:// 开头">
        <Input
          type="url"
          inputMode="url"
          maxLength={300}
          value={draft.VideoUrl}
          onChange={(event) => set({ VideoUrl: event.target.value })}
        />
      </Field>
    </>
  )
}

/** The whole application for one order. */
export function Form({ terms }: { terms: ReturnTerms }) {
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState<Draft>(() => firstDraft(terms.Lines))
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const apply = useApply()
  const isUploading = useIsUploading()
  const errors: Record<string, string> = { ...fieldMessages(apply.error), ...wrong }
  const general =
    isApiError(apply.error) && !Object.keys(apply.error.fields).length ? apply.error.message : null
  const set = (change: Partial<Draft>): void => setDraft((now) => changeDraft(now, change))
  const pieces = chosen(terms.Lines, draft).reduce(
    (total, { OrderLineId }) => total + (draft.Lines[OrderLineId]?.Quantity ?? 0),
    0,
  )
  // The button is always visible, so scroll to the first error.
  useEffect(() => {
    form.current
      ?.querySelector('[role="alert"], [aria-invalid="true"]')
      ?.scrollIntoView({ block: 'center' })
  }, [wrong, apply.error])
  const send = (event: React.FormEvent): void => {
    event.preventDefault()
    const found = findMissing(terms.Lines, draft)
    setWrong(found)
    apply.reset()
    if (Object.keys(found).length) return
    apply.mutate(bodyOf(terms.OrderNo, terms.Lines, draft), {
      onSuccess: ({ ReturnOrderId }) => {
        toast.success('售后申请已提交，客服会尽快审核')
        void navigate(paths.returnOrder(ReturnOrderId))
      },
    })
  }
  return (
    <form ref={form} className={styles.form} onSubmit={send} noValidate>
      <Kinds draft={draft} set={set} />
      <section aria-label="商品与数量">
        <h2>商品与数量</h2>
        <Goods lines={terms.Lines} draft={draft} onChange={(Lines) => set({ Lines })} />
        {errors.Lines && (
          <p role="alert" className={styles.error}>
            {errors.Lines}
          </p>
        )}
      </section>
      <section aria-label="原因与凭证" className={styles.part}>
        <h2>原因与凭证</h2>
        <Field label="申请原因" required error={errors.Reason}>
          <Select
            value={draft.Reason}
            placeholder="请选择"
            options={reasonsOf(draft.Kind)}
            onChange={(value) => set({ Reason: value as Draft['Reason'] })}
          />
        </Field>
        <Evidence draft={draft} set={set} errors={errors} />
      </section>
      <ReturnWay draft={draft} set={set} address={terms.Address} error={errors.Way} />
      {general && (
        <p role="alert" className={styles.error}>
          {general}
        </p>
      )}
      <div className={styles.foot}>
        <span aria-live="polite">
          已选 <b>{pieces}</b> 件
          {draft.Kind === 'return' && pieces > 0 && (
            <>
              ，预计退款 <b className={styles.money}>{yuan(sumWorth(terms.Lines, draft))}</b>
            </>
          )}
          <small>
            {draft.Kind === 'return'
              ? '以检测通过的数量为准，按下单价格退款，运费不退'
              : '以检测通过的数量为准'}
          </small>
        </span>
        <Button
          type="submit"
          look="primary"
          size="l"
          loading={apply.isPending}
          disabled={isUploading}
        >
          提交申请
        </Button>
      </div>
    </form>
  )
}
