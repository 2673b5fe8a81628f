import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { isApiError } from '@/api/errors'
import { dimensionChoices, dimensionCode } from '@/domain/dimensions/dimensions'
import { DimensionSelect } from '@/domain/dimensions/DimensionSelect'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, Input, Textarea } from '@/ui/Field'
import { toast } from '@/ui/toast'
import { useAskToOrder } from './requisitions'

/**
 * Submit the selected lines of the cart to a buyer of the company. A group that keeps cost centres
 * chooses one of them; another one types it.
 */
export default function AskDialog({ items, onClose }: { items: string[]; onClose: () => void }) {
  // The id of a kept cost centre, or the typed text.
  const [center, setCenter] = useState('')
  const [reason, setReason] = useState('')
  const { data, isPending } = useQuery(dimensionChoices)
  const centers = data?.find(({ Kind }) => Kind === 'cost_center')
  const ask = useAskToOrder()
  const navigate = useNavigate()
  const send = async (): Promise<void> => {
    try {
      const CostCenter = centers?.IsKept ? dimensionCode(center) : center.trim()
      await ask.mutateAsync({ Items: items, CostCenter, Reason: reason.trim() })
      toast.success('采购申请已提交，采购人员会收到通知')
      void navigate(paths.requisitions())
    } catch {
      // Said in the dialog.
    }
  }
  return (
    <Dialog
      title="提交采购申请"
      open
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button look="primary" loading={ask.isPending} onClick={() => void send()}>
            提交申请
          </Button>
        </>
      }
    >
      <p>已选 {items.length} 种商品将由贵司采购人员统一下单，提交后移出购物车。</p>
      <Field
        label="成本中心"
        hint="不填为您所在部门的成本中心"
        error={isApiError(ask.error) ? ask.error.fields.CostCenter?.[0] : null}
      >
        {centers?.IsKept ? (
          <DimensionSelect
            choices={centers}
            label="成本中心"
            value={center}
            placeholder="本部门的成本中心"
            onChange={setCenter}
          />
        ) : (
          <Input
            value={center}
            maxLength={60}
            disabled={isPending}
            placeholder={isPending ? '正在加载…' : ''}
            onChange={(event) => setCenter(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="申请说明"
        error={
          ask.error && !(isApiError(ask.error) && ask.error.fields.CostCenter)
            ? ask.error.message
            : null
        }
      >
        <Textarea
          value={reason}
          maxLength={300}
          rows={3}
          placeholder="用途、期望到货时间等"
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </Dialog>
  )
}
