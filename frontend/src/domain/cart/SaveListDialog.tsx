import { toast } from '@/ui/toast'
import { ListNameDialog } from './ListNameDialog'
import { useCreateList } from './quickLists'

/** 保存为清单: save the selected lines of the cart as a new list. The cart stays as it is. */
export default function SaveListDialog({
  lines,
  onClose,
}: {
  lines: readonly { ProductCode: string; Quantity: number }[]
  onClose: () => void
}) {
  const create = useCreateList()
  return (
    <ListNameDialog
      title="保存为清单"
      hint={`将保存已选的 ${lines.length} 种商品和数量，购物车不变；在“用户中心 - 采购清单”查看和共享`}
      isSaving={create.isPending}
      error={create.error}
      onClose={onClose}
      onSave={(Name) =>
        create.mutate(
          { Name, Items: lines.map(({ ProductCode, Quantity }) => ({ ProductCode, Quantity })) },
          {
            onSuccess: () => {
              toast.success('清单已保存')
              onClose()
            },
          },
        )
      }
    />
  )
}
