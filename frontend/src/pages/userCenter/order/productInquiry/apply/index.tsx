import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { fieldMessages, isApiError } from '@/api/errors'
import { FileUpload } from '@/desk/FileUpload'
import { Page } from '@/desk/Page'
import { categories } from '@/domain/catalog/categories'
import { useRequestInquiry } from '@/domain/inquiries/inquiries'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { formatDate } from '@/lib/time'
import { Button, ButtonLink } from '@/ui/Button'
import { Field, Input, Select, Textarea } from '@/ui/Field'
import { PICTURES } from '@/ui/pictures'
import { toast } from '@/ui/toast'
import { useIsUploading } from '@/ui/useUploads'
import styles from './apply.module.css'
import {
  bodyOf,
  dropDraft,
  emptyDraft,
  emptyLine,
  isEmpty,
  saveDraft,
  findMissing,
  MAX_LINES,
  openDraft,
  type Draft,
  type DraftLine,
} from './draft'
import { Line } from './Line'

/** The draft, stored after every change. */
function useDraft(uid: string) {
  const [wished] = useSearchParams()
  const [draft, setDraft] = useState<Draft>(() => openDraft(uid, wished))
  useEffect(() => saveDraft(uid, draft), [uid, draft])
  return [draft, setDraft] as const
}

export function Component() {
  const uid = useSession()?.User.uid ?? ''
  const navigate = useNavigate()
  const [draft, setDraft] = useDraft(uid)
  const [today] = useState(() => formatDate(new Date().toISOString()))
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const { data: tree = [] } = useQuery(categories(uid))
  const ask = useRequestInquiry()
  const isUploading = useIsUploading()
  const errors = { ...fieldMessages(ask.error), ...wrong }
  const general =
    isApiError(ask.error) && !Object.keys(ask.error.fields).length ? ask.error.message : null
  const set = (change: Partial<Draft>): void => setDraft((now) => ({ ...now, ...change }))
  const setLine = (at: number, change: Partial<DraftLine>): void =>
    setDraft((now) => ({
      ...now,
      Lines: now.Lines.map((line, index) => (index === at ? { ...line, ...change } : line)),
    }))
  const send = (event: React.FormEvent): void => {
    event.preventDefault()
    const found = findMissing(draft)
    setWrong(found)
    ask.reset()
    if (Object.keys(found).length) return
    ask.mutate(bodyOf(draft), {
      onSuccess: ({ InquiryNo }) => {
        dropDraft(uid)
        toast.success('询价已提交，客服会尽快报价')
        void navigate(paths.inquiryDetail(InquiryNo))
      },
    })
  }
  return (
    <Page
      title="发起询价"
      extra={
        <ButtonLink to={paths.inquiries()} look="text">
          返回询价列表
        </ButtonLink>
      }
    >
      <form className={styles.form} onSubmit={send} noValidate>
        <p className={styles.lead}>
          目录里找不到、或希望拿到专属价的商品，写下要什么、要多少。客服报价后，在有效期内即按报价结算。
        </p>
        <ol className={styles.lines} aria-label="询价明细">
          {draft.Lines.map((line, index) => (
            <Line
              key={index}
              line={line}
              index={index}
              errors={errors}
              onChange={(change) => setLine(index, change)}
              onRemove={
                draft.Lines.length > 1
                  ? () => set({ Lines: draft.Lines.filter((_, at) => at !== index) })
                  : null
              }
            />
          ))}
        </ol>
        <Button
          icon="plus"
          disabled={draft.Lines.length >= MAX_LINES}
          onClick={() => set({ Lines: [...draft.Lines, emptyLine()] })}
        >
          再加一种商品
        </Button>
        <div className={styles.facts}>
          <Field label="意向分类" error={errors.CategoryId} hint="不确定可不选">
            <Select
              value={draft.CategoryId}
              placeholder="请选择"
              options={tree.map(({ C1 }) => ({ value: C1.CategoryId, label: C1.Name }))}
              onChange={(CategoryId) => set({ CategoryId })}
            />
          </Field>
          <Field label="期望到货日" error={errors.NeedBy}>
            <Input
              type="date"
              min={today}
              value={draft.NeedBy}
              onChange={(event) => set({ NeedBy: event.target.value })}
            />
          </Field>
        </div>
        <Field label="补充说明" error={errors.Remark}>
          <Textarea
            rows={4}
            maxLength={500}
            placeholder="用途、交付要求、能否接受替代品等"
            value={draft.Remark}
            onChange={(event) => set({ Remark: event.target.value })}
          />
        </Field>
        <section aria-label="参考图片" className={styles.pictures}>
          <h2>参考图片</h2>
          <FileUpload
            value={draft.Files}
            onChange={(files) => set({ Files: files })}
            rules={PICTURES}
            max={9}
            label="上传图片"
            hint="可拖到此处，JPG、PNG、WebP 或 GIF，最多 9 张"
          />
          {errors.FileIds && (
            <p role="alert" className={styles.error}>
              {errors.FileIds}
            </p>
          )}
        </section>
        {general && (
          <p role="alert" className={styles.error}>
            {general}
          </p>
        )}
        <div className={styles.buttons}>
          <span className={styles.kept}>{!isEmpty(draft) && '已自动保存草稿'}</span>
          <Button disabled={isEmpty(draft)} onClick={() => setDraft(emptyDraft())}>
            清空
          </Button>
          <Button type="submit" look="primary" loading={ask.isPending} disabled={isUploading}>
            提交询价
          </Button>
        </div>
      </form>
    </Page>
  )
}
