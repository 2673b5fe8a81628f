import { Button, Modal } from 'antd'
import { useState } from 'react'
import { call } from '@/api/call'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import {
  containsMe,
  getPath,
  useTreeWrite,
  getWeight,
  type Branch,
  type Department,
  type Tree,
} from '@/domain/org/departmentTree'
import { StatusTag } from '@/desk/StatusTag'
import { toast } from '@/ui/toast'
import { DepartmentDialog } from './DepartmentDialog'
import { TargetDialog, type Act } from './TargetDialog'
import styles from './department.module.css'

interface DetailProps {
  branch: Branch
  branches: readonly Branch[]
  tree: Tree
  onChoose: (key: string) => void
}

type Open = 'edit' | 'add' | 'history' | Act | null

function Facts({ rows }: { rows: readonly (readonly [string, React.ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Actions({
  branch: { department, name },
  own,
  set,
  onGone,
}: {
  branch: Branch & { department: Department }
  /** The department contains this person, who therefore neither moves nor merges it. */
  own: boolean
  set: (open: Open) => void
  onGone: () => void
}) {
  const { Id, IsActive } = department
  const enable = useTreeWrite(() =>
    call('patch', '/api/Department/{Id}', { path: { Id }, body: { IsActive: true } }),
  )
  const remove = useTreeWrite(() => call('delete', '/api/Department/{Id}', { path: { Id } }))
  const ask = (): void => {
    Modal.confirm({
      title: `删除“${name}”？`,
      content: '只有从未有过成员、下级和业务数据的部门才能删除；其余请停用或合并。',
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: () =>
        remove.mutateAsync(undefined).then(
          () => {
            toast.success('部门已删除')
            return onGone()
          },
          () => undefined,
        ),
    })
  }
  return (
    <p className={styles.actions}>
      {IsActive ? (
        <>
          <Button type="primary" onClick={() => set('edit')}>
            编辑
          </Button>
          <Button onClick={() => set('add')}>新增下级</Button>
          {!own && (
            <>
              <Button onClick={() => set('move')}>移动</Button>
              <Button onClick={() => set('merge')}>合并</Button>
              <Button onClick={() => set('disable')}>停用</Button>
            </>
          )}
        </>
      ) : (
        <Button
          type="primary"
          loading={enable.isPending}
          onClick={() => enable.mutate(undefined, { onSuccess: () => toast.success('部门已启用') })}
        >
          启用
        </Button>
      )}
      <Button danger onClick={ask}>
        删除
      </Button>
    </p>
  )
}

/** The details of a department and the actions on it. */
export function Detail({ branch, branches, tree, onChoose }: DetailProps) {
  const [open, setOpen] = useState<Open>(null)
  const { department, name } = branch
  const { departments, people } = getWeight(branch)
  const close = (): void => setOpen(null)
  const own = department !== null && containsMe(tree, department)
  const trail = getPath(branches, branch.key)
  return (
    <section className={styles.detail} aria-label="部门详情">
      <header>
        <h2>
          {name}{' '}
          {department && (
            <StatusTag
              text={department.IsActive ? '启用' : '已停用'}
              tone={department.IsActive ? 'good' : 'plain'}
            />
          )}
        </h2>
        {department && (
          <Button type="link" onClick={() => setOpen('history')}>
            变更记录
          </Button>
        )}
      </header>
      {trail.length > 1 && <p className={styles.trail}>{trail.slice(0, -1).join(' / ')}</p>}
      {department ? (
        <Facts
          rows={[
            ['部门编码', department.Code],
            ['部门负责人', department.HeadName ?? <span className={styles.warn}>未设置</span>],
            ['成本中心', department.CostCenter || '—'],
            ['本部门成员', `${department.AccountCount} 人`],
            ['下级部门', `${departments} 个`],
            ['含下级成员', `${people} 人`],
          ]}
        />
      ) : (
        <Facts
          rows={[
            ['部门', `${departments} 个`],
            ['成员', `${people} 人`],
          ]}
        />
      )}
      {department && !department.HeadName && department.IsActive && (
        <p className={styles.note}>未设置负责人时，“部门负责人”审批会转给集团管理员。</p>
      )}
      {tree.CanKeep && department?.IsActive && own && (
        <p className={styles.note}>
          您在该部门或其下级部门中，其负责人、上级部门、合并与停用由集团管理员或不在该部门中的管理员操作。
        </p>
      )}
      {tree.CanKeep && department && (
        <Actions
          branch={{ ...branch, department }}
          own={own}
          set={setOpen}
          onGone={() => onChoose(department.ParentId ?? `enterprise-${department.EnterpriseId}`)}
        />
      )}
      {tree.CanKeep &&
        !department &&
        tree.Enterprises.some(
          ({ Id, CanKeepRoots }) => CanKeepRoots && Id === branch.enterpriseId,
        ) && (
          <p className={styles.actions}>
            <Button onClick={() => setOpen('add')}>新增顶级部门</Button>
          </p>
        )}
      {open === 'edit' && department && (
        <DepartmentDialog
          edited={department}
          isHeadFixed={own}
          branches={branches}
          onSaved={onChoose}
          onClose={close}
        />
      )}
      {open === 'add' && (
        <DepartmentDialog under={branch} branches={branches} onSaved={onChoose} onClose={close} />
      )}
      {(open === 'move' || open === 'merge' || open === 'disable') && department && (
        <TargetDialog
          act={open}
          department={department}
          branch={branch}
          branches={branches}
          tree={tree}
          onDone={onChoose}
          onClose={close}
        />
      )}
      {department && (
        <ChangeHistory
          subjectType="department"
          subjectId={department.Id}
          name={name}
          open={open === 'history'}
          onClose={close}
        />
      )}
    </section>
  )
}
