import { Form, TreeSelect } from 'antd'
import { call } from '@/api/call'
import { FormDialog } from '@/desk/FormDialog'
import {
  findBranch,
  getClosedTargets,
  useTreeWrite,
  getWeight,
  type Branch,
  type Department,
  type Tree,
} from '@/domain/org/departmentTree'
import { toast } from '@/ui/toast'
import styles from './department.module.css'

export type Act = 'move' | 'merge' | 'disable'

interface Choice {
  value: string
  title: string
  disabled: boolean
  children: Choice[]
}

/**
 * The departments of an enterprise that can be the target: not the department itself, not below it,
 * not disabled. Targets for which the server refuses this person cannot be chosen.
 */
export const getChoices = (
  branches: readonly Branch[],
  own: Branch,
  isTopLevel: boolean,
  isClosed: (target: Department) => boolean,
): Choice[] =>
  branches
    .filter(
      (branch) =>
        branch.enterpriseId === own.enterpriseId &&
        branch.key !== own.key &&
        (branch.department?.IsActive ?? true),
    )
    .map((branch) => ({
      value: branch.key,
      title: branch.department ? branch.name : `${branch.name}（顶级）`,
      disabled: branch.department ? isClosed(branch.department) : !isTopLevel,
      children: getChoices(branch.children, own, isTopLevel, isClosed),
    }))

const TEXTS: Readonly<Record<Act, { title: string; label: string; ok: string; done: string }>> = {
  move: { title: '移动部门', label: '新的上级', ok: '移动', done: '部门已移动' },
  merge: { title: '合并部门', label: '并入部门', ok: '合并', done: '部门已合并' },
  disable: { title: '停用部门', label: '接收部门', ok: '停用', done: '部门已停用' },
}

interface TargetDialogProps {
  act: Act
  department: Department
  branch: Branch
  branches: readonly Branch[]
  tree: Tree
  onDone: (key: string) => void
  onClose: () => void
}

/**
 * The dialog to choose another department: as a new parent, or as the receiver of the people and
 * everything that belongs to the department.
 */
export function TargetDialog({
  act,
  department: { Id, Name, EnterpriseId },
  branch,
  branches,
  tree,
  onDone,
  onClose,
}: TargetDialogProps) {
  const texts = TEXTS[act]
  const { departments, people } = getWeight(branch)
  const mayRoot = tree.Enterprises.some((row) => row.Id === EnterpriseId && row.CanKeepRoots)
  const isEmpty =
    branch.children.every((child) => !child.department?.IsActive) &&
    branch.department?.AccountCount === 0
  const run = useTreeWrite(async (target: string | undefined): Promise<unknown> => {
    const to = target && findBranch(branches, target)?.department ? target : null
    if (act === 'move')
      return call('post', '/api/Department/{Id}/Move', {
        path: { Id },
        body: { ParentId: to },
        quiet: true,
      })
    if (act === 'merge')
      return call('post', '/api/Department/{Id}/Merge', {
        path: { Id },
        body: { TargetId: to ?? '' },
        quiet: true,
      })
    return call('post', '/api/Department/{Id}/Disable', {
      path: { Id },
      body: { TargetId: to },
      quiet: true,
    })
  })
  const handlers = {
    move: `“${Name}”连同 ${departments} 个下级部门、${people} 人一起移动。进行中的审批和预算不受影响。`,
    merge: `“${Name}”的成员、下级部门、收货地址、预算和审批规则全部转到并入的部门，“${Name}”随后停用。历史订单仍记在原部门。`,
    disable: isEmpty
      ? `“${Name}”没有成员和下级部门，可以直接停用；如还有预算或审批规则，请选择接收部门。`
      : `“${Name}”还有成员或下级部门，请选择由哪个部门接收，再停用。`,
  }[act]
  const field = act === 'move' ? 'ParentId' : 'TargetId'
  const submit = async (values: Record<string, string>): Promise<void> => {
    await run.mutateAsync(values[field])
    toast.success(texts.done)
    onDone(act === 'merge' && values[field] ? values[field] : Id)
  }
  return (
    <FormDialog<Record<string, string>>
      title={texts.title}
      open
      onClose={onClose}
      onSubmit={submit}
      okText={texts.ok}
    >
      <p className={styles.told}>{handlers}</p>
      <Form.Item
        name={field}
        label={texts.label}
        extra={
          tree.ContainingIds.length + tree.HeadedIds.length > 0 &&
          '灰色的是您所在或负责的部门，并入或移到其下请由集团管理员操作'
        }
        rules={
          act === 'disable' && isEmpty ? [] : [{ required: true, message: `请选择${texts.label}` }]
        }
      >
        <TreeSelect
          treeData={getChoices(
            branches,
            branch,
            act === 'move' && mayRoot,
            getClosedTargets(tree, { Id }),
          )}
          showSearch={{ treeNodeFilterProp: 'title' }}
          allowClear
          placeholder="按名称查找部门"
          treeDefaultExpandedKeys={[`enterprise-${EnterpriseId}`]}
          notFoundContent="没有可选的部门"
        />
      </Form.Item>
    </FormDialog>
  )
}
