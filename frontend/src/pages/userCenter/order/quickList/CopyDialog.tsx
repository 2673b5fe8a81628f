import { useNavigate } from 'react-router-dom'
import { ListNameDialog } from '@/domain/cart/ListNameDialog'
import { useCopyList, type QuickListRow } from '@/domain/cart/quickLists'
import { paths } from '@/lib/paths'
import { toast } from '@/ui/toast'

/** 复制: save the lines as an own list at today's prices, and open it. */
export function CopyDialog({
  row,
  onClose,
}: {
  row: Pick<QuickListRow, 'Id' | 'Name'>
  onClose: () => void
}) {
  const navigate = useNavigate()
  const copy = useCopyList(row.Id)
  return (
    <ListNameDialog
      title="复制清单"
      name={`${row.Name.slice(0, 37)} 副本`}
      hint="另存为您的清单，不共享给他人；价格按您今日的价格记录"
      isSaving={copy.isPending}
      error={copy.error}
      onClose={onClose}
      onSave={(name) =>
        copy.mutate(name, {
          onSuccess: ({ Id }) => {
            toast.success('已另存为您的清单')
            onClose()
            void navigate(paths.quickList(Id))
          },
        })
      }
    />
  )
}
