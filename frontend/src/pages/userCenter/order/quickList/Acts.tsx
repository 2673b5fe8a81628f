import { Popconfirm } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { ExportButton } from '@/desk/ExportButton'
import { ListNameDialog, getRefusal } from '@/domain/cart/ListNameDialog'
import {
  useChangeList,
  useDeleteList,
  useHandOverList,
  useLeaveList,
  useTakeOverList,
  type QuickList,
} from '@/domain/cart/quickLists'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { Field, Select } from '@/ui/Field'
import { toast } from '@/ui/toast'
import { CopyDialog } from './CopyDialog'
import styles from './quickList.module.css'
import { ShareDialog } from './ShareDialog'

interface DialogProps {
  list: QuickList
  onClose: () => void
}

function RenameDialog({ list, onClose }: DialogProps) {
  const change = useChangeList(list.Id)
  return (
    <ListNameDialog
      title="清单改名"
      name={list.Name}
      hint="共享的同事会看到新名称"
      isSaving={change.isPending}
      error={change.error}
      onClose={onClose}
      onSave={(Name) =>
        change.mutate(
          { Name },
          {
            onSuccess: () => {
              toast.success('清单已改名')
              onClose()
            },
          },
        )
      }
    />
  )
}

function HandOverDialog({ list, onClose }: DialogProps) {
  const [heir, setHeir] = useState('')
  const handOver = useHandOverList(list.Id)
  const submit = (): void =>
    handOver.mutate(heir, {
      onSuccess: () => {
        toast.success('清单已移交')
        onClose()
      },
    })
  return (
    <Dialog
      open
      title="移交清单"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button look="primary" disabled={!heir} loading={handOver.isPending} onClick={submit}>
            移交
          </Button>
        </>
      }
    >
      <Field
        label="新的所有人"
        required
        hint="移交后您仍可编辑；共享给部门的设置会取消"
        error={getRefusal(handOver.error, 'AccountId')}
      >
        <Select
          value={heir}
          placeholder="请选择已共享的同事"
          options={list.Members.filter(({ IsActive }) => IsActive).map(({ AccountId, Name }) => ({
            value: AccountId,
            label: Name,
          }))}
          onChange={setHeir}
        />
      </Field>
    </Dialog>
  )
}

/** The actions on the whole list that the person may take. */
export function Acts({ list }: { list: QuickList }) {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'share' | 'rename' | 'handOver' | 'copy' | null>(null)
  const remove = useDeleteList()
  const leave = useLeaveList()
  const takeOver = useTakeOverList(list.Id)
  const can = (action: QuickList['AllowedActions'][number]): boolean =>
    list.AllowedActions.includes(action)
  const close = (): void => setDialog(null)
  const goBack = (text: string) => () => {
    toast.success(text)
    void navigate(paths.quickLists(), { replace: true })
  }
  return (
    <span className={styles.acts}>
      {can('share') && <Button onClick={() => setDialog('share')}>共享</Button>}
      {can('rename') && <Button onClick={() => setDialog('rename')}>改名</Button>}
      {can('hand_over') && <Button onClick={() => setDialog('handOver')}>移交</Button>}
      {can('take_over') && (
        <Popconfirm
          title="接管此清单？"
          description="所有人已停用或已离开本企业，接管后您成为所有人"
          okText="接管"
          onConfirm={() =>
            takeOver.mutate(undefined, { onSuccess: () => toast.success('清单已接管') })
          }
        >
          <Button loading={takeOver.isPending}>接管</Button>
        </Popconfirm>
      )}
      <Button onClick={() => setDialog('copy')}>复制</Button>
      <ExportButton url={`/api/QuickList/${list.Id}/Export`} method="GET" />
      {can('leave') && (
        <Popconfirm
          title="退出此清单的共享？"
          description="退出后不能再查看，需要时请所有人重新共享"
          okText="退出"
          onConfirm={() => leave.mutate(list.Id, { onSuccess: goBack('已退出此清单的共享') })}
        >
          <Button look="text" loading={leave.isPending}>
            退出
          </Button>
        </Popconfirm>
      )}
      {can('delete') && (
        <Popconfirm
          title={`删除“${list.Name}”？`}
          description="删除后不能恢复，共享的同事也不能再使用"
          okText="删除"
          okButtonProps={{ danger: true }}
          onConfirm={() => remove.mutate(list.Id, { onSuccess: goBack('清单已删除') })}
        >
          <Button look="text" loading={remove.isPending}>
            删除
          </Button>
        </Popconfirm>
      )}
      {dialog === 'share' && <ShareDialog list={list} onClose={close} />}
      {dialog === 'rename' && <RenameDialog list={list} onClose={close} />}
      {dialog === 'handOver' && <HandOverDialog list={list} onClose={close} />}
      {dialog === 'copy' && <CopyDialog row={list} onClose={close} />}
    </span>
  )
}
