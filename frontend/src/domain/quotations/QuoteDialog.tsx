import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, Input } from '@/ui/Field'
import { toast } from '@/ui/toast'
import { useQuote } from './quotations'

/** Make a quotation of the selected lines of the cart, and open it. */
export default function QuoteDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const navigate = useNavigate()
  const [remark, setRemark] = useState('')
  const quote = useQuote()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    quote.mutate(remark.trim(), {
      onSuccess: ({ QuotationNo }) => {
        toast.success('报价单已生成')
        void navigate(paths.quotation(QuotationNo))
      },
    })
  }
  return (
    <Dialog
      open
      title="生成报价单"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button look="primary" type="submit" form="quote-cart" loading={quote.isPending}>
            生成
          </Button>
        </>
      }
    >
      <form id="quote-cart" onSubmit={submit}>
        <p>按现价为已选的 {count} 种商品生成报价单，购物车不变；有效期内按报价单下单不涨价。</p>
        <Field label="备注" hint="选填，会印在报价单上">
          <Input
            value={remark}
            maxLength={300}
            placeholder="如用途、项目"
            onChange={(event) => setRemark(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
