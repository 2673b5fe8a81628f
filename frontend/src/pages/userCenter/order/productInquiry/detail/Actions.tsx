import { useState } from 'react'
import { useAskAgain, useCloseInquiry, type InquiryDetail } from '@/domain/inquiries/inquiries'
import { ReasonDialog } from '@/domain/orders/ReasonDialog'
import { Button } from '@/ui/Button'
import { toast } from '@/ui/toast'
import styles from './detail.module.css'

/** Request another quotation or close the inquiry, after a confirmation. */
export function Actions({ data }: { data: InquiryDetail }) {
  const [open, setOpen] = useState<'again' | 'close' | null>(null)
  const again = useAskAgain(data.InquiryNo)
  const end = useCloseInquiry(data.InquiryNo)
  const may = (action: string): boolean => data.AllowedActions.includes(action)
  const shut = (): void => setOpen(null)
  const toastOnSuccess = (text: string) => ({
    onSuccess: () => {
      shut()
      toast.success(text)
    },
  })
  const loses = data.Status === 'quoted' ? '现有报价将随之失效。' : ''
  return (
    <span className={styles.acts}>
      {may('ask_again') && <Button onClick={() => setOpen('again')}>重新询价</Button>}
      {may('close') && (
        <Button look="text" onClick={() => setOpen('close')}>
          {data.Status === 'pending' ? '撤回询价' : '关闭询价'}
        </Button>
      )}
      <ReasonDialog
        key={`again-${open ?? ''}`}
        title="重新询价"
        text={`${loses}客服会按您的说明重新报价。`}
        label="希望如何调整"
        confirm="提交"
        required
        open={open === 'again'}
        isBusy={again.isPending}
        onClose={shut}
        onConfirm={(note) => again.mutate(note, toastOnSuccess('已重新询价，请等待客服报价'))}
      />
      <ReasonDialog
        key={`close-${open ?? ''}`}
        title={data.Status === 'pending' ? '撤回询价' : '关闭询价'}
        text={`${loses}关闭后仍可重新询价。`}
        label="关闭原因"
        confirm="确认关闭"
        required
        danger
        open={open === 'close'}
        isBusy={end.isPending}
        onClose={shut}
        onConfirm={(reason) => end.mutate(reason, toastOnSuccess('询价单已关闭'))}
      />
    </span>
  )
}
