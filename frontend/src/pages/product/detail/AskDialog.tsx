import { useState, type FormEvent } from 'react'
import { isApiError } from '@/api/errors'
import type { ProductDetail } from '@/api/schema'
import { useAskProductQuestion } from '@/domain/questions/questions'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, Textarea } from '@/ui/Field'
import { toast } from '@/ui/toast'
import own from './Questions.module.css'

const MIN = 5
const MAX = 200

/** Ask a question about the product. The text stays in the form if the server refuses it. */
export default function AskDialog({
  product,
  onClose,
  onAsked,
}: {
  product: ProductDetail
  onClose: () => void
  onAsked: () => void
}) {
  const [text, setText] = useState('')
  const [isPrivate, setIsPrivate] = useState(false)
  const [isTooShort, setTooShort] = useState(false)
  const ask = useAskProductQuestion()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim().length < MIN) {
      setTooShort(true)
      return
    }
    setTooShort(false)
    ask.mutate(
      { ProductCode: product.ProductCode, Text: text.trim(), IsPrivate: isPrivate },
      {
        onSuccess: () => {
          toast.success('提问已提交，回答后会通知您')
          onAsked()
        },
      },
    )
  }
  const refusal = ask.error && (isApiError(ask.error) ? ask.error.message : '提交失败，请重试')
  return (
    <Dialog
      open
      title="我要提问"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button look="primary" type="submit" form="ask-question" loading={ask.isPending}>
            提交
          </Button>
        </>
      }
    >
      <form id="ask-question" className={own.form} onSubmit={submit}>
        <p>{getProductTitle(product)}</p>
        <Field
          required
          label="您的问题"
          hint={`${MIN} 至 ${MAX} 个字；请勿填写手机号、邮箱等联系方式`}
          error={isTooShort ? `请至少用 ${MIN} 个字说明您的问题` : refusal}
        >
          <Textarea
            rows={4}
            value={text}
            maxLength={MAX}
            placeholder="如规格、兼容型号、包装与使用方法"
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <label>
          <input
            type="checkbox"
            checked={isPrivate}
            onChange={(event) => setIsPrivate(event.target.checked)}
          />
          <span>仅本集团可见；不勾选时回答后公开给其他客户，不显示提问人</span>
        </label>
      </form>
    </Dialog>
  )
}
