import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { call } from '@/api/call'
import { isApiError } from '@/api/errors'
import type { ProductDetail } from '@/api/schema'
import { toast } from '@/ui/toast'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, Input } from '@/ui/Field'
import styles from './detail.module.css'

/**
 * The group's own name for the product. If both fields are empty, the name from the agreement
 * applies again.
 */
export default function NameDialog({
  product,
  onClose,
}: {
  product: ProductDetail
  onClose: () => void
}) {
  const client = useQueryClient()
  const [name, setName] = useState(product.OwnName)
  const [code, setCode] = useState(product.OwnCode)
  const save = useMutation({
    mutationFn: (words: { CustomerProductName: string; CustomerCode: string }) =>
      call('patch', '/api/Product/{ProductCode}/OwnName', {
        path: { ProductCode: product.ProductCode },
        body: words,
        quiet: true,
      }),
    // The dialog closes without waiting for the refetch of the page behind it.
    onSuccess: (_row, words) => {
      onClose()
      toast.success(
        words.CustomerProductName || words.CustomerCode
          ? '自有品名与物料号已更新'
          : '已恢复为协议中的品名与物料号',
      )
      for (const queryKey of [['product', product.ProductCode], ['products']])
        void client.invalidateQueries({ queryKey })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate({ CustomerProductName: name.trim(), CustomerCode: code.trim() })
  }
  return (
    <Dialog
      open
      title="自有品名与物料号"
      onClose={onClose}
      footer={
        <>
          <Button
            look="text"
            disabled={save.isPending}
            onClick={() => save.mutate({ CustomerProductName: '', CustomerCode: '' })}
          >
            恢复协议名称
          </Button>
          <Button onClick={onClose}>取消</Button>
          <Button look="primary" type="submit" form="own-name" loading={save.isPending}>
            保存
          </Button>
        </>
      }
    >
      <form id="own-name" className={styles.naming} onSubmit={submit}>
        <p>
          对本集团所有账号生效；搜索、购物车、订单与对账单都会使用这里的名称和物料号。商城品名：
          {product.ProductName}
        </p>
        <Field label="自有品名" hint="留空则使用协议或商城品名">
          <Input
            value={name}
            maxLength={120}
            placeholder={product.OwnName ? undefined : product.CustomerProductName}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Field
          label="物料号"
          hint="贵司系统中的物料编码，集团内不能重复"
          error={isApiError(save.error) ? save.error.message : undefined}
        >
          <Input
            value={code}
            maxLength={60}
            placeholder={product.OwnCode ? undefined : product.CustomerCode}
            onChange={(event) => setCode(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}
