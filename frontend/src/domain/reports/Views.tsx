import { useQuery } from '@tanstack/react-query'
import { Button, Checkbox, Form, Input, Popconfirm, Popover } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { FormDialog } from '@/desk/FormDialog'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import type { ReportName } from './api'
import type { ReportFilters } from './filters'
import {
  getAddress,
  pickViewFilters,
  savedViews,
  findShownView,
  useChangeView,
  useDeleteView,
  useSaveView,
  type SavedView,
} from './views'
import styles from './views.module.css'

interface ViewForm {
  Name: string
  Shared?: boolean
}

interface RowProps {
  view: SavedView
  isShown: boolean
  onOpen: () => void
  onEdit: () => void
  onOverwrite: () => void
  onDelete: () => void
}

const Row = ({ view, isShown, onOpen, onEdit, onOverwrite, onDelete }: RowProps) => (
  <li className={styles.view}>
    <Link
      to={getAddress(view.Filters) || '?'}
      onClick={onOpen}
      aria-current={isShown ? 'true' : undefined}
      title={view.Name}
    >
      {view.Name}
    </Link>
    {view.IsMine ? (
      <>
        {view.Shared && <small>已共享</small>}
        {!isShown && (
          <Popconfirm
            title={`用当前筛选覆盖“${view.Name}”？`}
            okText="覆盖"
            onConfirm={onOverwrite}
          >
            <Button type="link" size="small">
              覆盖
            </Button>
          </Popconfirm>
        )}
        <Button type="link" size="small" onClick={onEdit}>
          编辑
        </Button>
        <Popconfirm
          title={`删除视图“${view.Name}”？`}
          {...(view.Shared ? { description: '同事将不能再打开' } : {})}
          okText="删除"
          okButtonProps={{ danger: true }}
          onConfirm={onDelete}
        >
          <Button type="link" size="small" danger>
            删除
          </Button>
        </Popconfirm>
      </>
    ) : (
      <small>{view.Owner.Name} 共享</small>
    )}
  </li>
)

/**
 * 视图: saved filters with a name. A view can be opened, saved, overwritten and shared with the
 * group.
 */
export function Views({ name, filters }: { name: ReportName; filters: ReportFilters }) {
  const [isOpen, setOpen] = useState(false)
  const [edited, setEdited] = useState<SavedView | 'new' | null>(null)
  const { data, error, refetch } = useQuery(savedViews(name))
  const save = useSaveView()
  const change = useChangeView()
  const drop = useDeleteView()
  const shown = findShownView(data ?? [], filters)
  const edit = (what: SavedView | 'new'): void => {
    setOpen(false)
    setEdited(what)
  }
  const saveView = async ({ Name, Shared = false }: ViewForm): Promise<void> => {
    if (edited === 'new')
      await save.mutateAsync({
        Report: name,
        Name: Name.trim(),
        Shared,
        Filters: pickViewFilters(filters),
      })
    else if (edited) await change.mutateAsync({ Id: edited.Id, Name: Name.trim(), Shared })
    toast.success('视图已保存')
  }
  const overwrite = (view: SavedView): void =>
    change.mutate(
      { Id: view.Id, Filters: pickViewFilters(filters) },
      {
        onSuccess: () => toast.success(`“${view.Name}”已更新为当前筛选`),
        onError: (refused) => toast.error(refused.message),
      },
    )
  const list = (
    <div className={styles.views}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading height={80} />}
      {data?.length === 0 && <p>还没有视图。设好筛选、排序和列后保存，下次一步打开。</p>}
      {!!data?.length && (
        <ul>
          {data.map((view) => (
            <Row
              key={view.Id}
              view={view}
              isShown={view === shown}
              onOpen={() => setOpen(false)}
              onEdit={() => edit(view)}
              onOverwrite={() => overwrite(view)}
              onDelete={() =>
                drop.mutate(view.Id, { onSuccess: () => toast.success('视图已删除') })
              }
            />
          ))}
        </ul>
      )}
      <Button type="primary" block disabled={shown?.IsMine ?? false} onClick={() => edit('new')}>
        {shown?.IsMine ? '当前筛选已保存' : '保存当前筛选为视图'}
      </Button>
    </div>
  )
  return (
    <>
      <Popover
        trigger="click"
        placement="bottomRight"
        title="报表视图"
        content={list}
        open={isOpen}
        onOpenChange={setOpen}
      >
        <Button aria-expanded={isOpen}>视图{shown ? `：${shown.Name}` : ''}</Button>
      </Popover>
      <FormDialog<ViewForm>
        key={typeof edited === 'string' ? edited : edited?.Id}
        title={edited === 'new' ? '保存视图' : '编辑视图'}
        open={edited !== null}
        onClose={() => setEdited(null)}
        onSubmit={saveView}
        initialValues={
          edited && edited !== 'new'
            ? { Name: edited.Name, Shared: edited.Shared }
            : { Shared: false }
        }
      >
        <Form.Item
          name="Name"
          label="视图名称"
          rules={[{ required: true, whitespace: true, message: '请填写视图名称' }]}
        >
          <Input maxLength={30} showCount placeholder="例如：行政部本月办公用品" />
        </Form.Item>
        <Form.Item
          name="Shared"
          valuePropName="checked"
          extra="同事打开后看到的是其本人数据范围内的数据"
        >
          <Checkbox>共享给集团内有此报表权限的同事</Checkbox>
        </Form.Item>
      </FormDialog>
    </>
  )
}
