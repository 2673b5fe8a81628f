import { Input, Modal, Switch, Tree, type TreeProps } from 'antd'
import { useMemo, useState } from 'react'
import { call } from '@/api/call'
import {
  containsMe,
  findBranch,
  getClosedTargets,
  keysOf,
  filterBranches,
  getMoveTarget,
  useTreeWrite,
  getWeight,
  type Branch,
  type MoveTarget,
  type Tree as DepartmentTree,
} from '@/domain/org/departmentTree'
import { Tag } from '@/ui/Small'
import { Empty } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './department.module.css'

interface Node {
  key: string
  branch: Branch
  children: Node[]
  isLeaf: boolean
}

const nodesOf = (branches: readonly Branch[]): Node[] =>
  branches.map((branch) => ({
    key: branch.key,
    branch,
    children: nodesOf(branch.children),
    isLeaf: branch.children.length === 0,
  }))

function Title({ branch: { department, name } }: { branch: Branch }) {
  if (!department) return <b>{name}</b>
  return (
    <span className={styles.node}>
      <span className={styles.name}>{name}</span>
      {!department.IsActive && <Tag>已停用</Tag>}
      <small>
        {[department.HeadName, department.AccountCount > 0 ? `${department.AccountCount} 人` : null]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </span>
  )
}

const titleOf = ({ branch }: Node) => <Title branch={branch} />

/**
 * Whether a drop needs confirmation. A new parent moves people and rights; a new order changes
 * nothing else.
 */
const moves = (branch: Branch, place: MoveTarget): boolean =>
  (branch.department?.ParentId ?? null) !== (place.ParentId ?? null)

function useDrop(branches: readonly Branch[], tree: DepartmentTree) {
  const move = useTreeWrite(({ pk, place }: { pk: string; place: MoveTarget }) =>
    call('post', '/api/Department/{Id}/Move', { path: { Id: pk }, body: place }),
  )
  return (dragged: string, target: string, at: -1 | 0 | 1): void => {
    const own = findBranch(branches, dragged)
    const place = getMoveTarget(branches, dragged, target, at)
    if (!own || !place) {
      toast.warning('不能移动到这里：只能在同一企业内移动，且不能移到自己的下级或已停用的部门')
      return
    }
    const run = (): Promise<void> =>
      move.mutateAsync({ pk: dragged, place }).then(
        () => toast.success('部门已移动'),
        () => undefined,
      )
    if (!moves(own, place)) {
      void run()
      return
    }
    const Id = own.key
    if (
      containsMe(tree, { Id }) ||
      (place.ParentId && getClosedTargets(tree, { Id })({ Id: place.ParentId }))
    ) {
      toast.warning('不能移动您所在的部门，也不能移到您所在或负责的部门下，请由集团管理员操作')
      return
    }
    const { departments, people } = getWeight(own)
    const where = place.ParentId
      ? `“${findBranch(branches, place.ParentId)?.name ?? ''}”之下`
      : '顶级'
    Modal.confirm({
      title: `将“${own.name}”移动到${where}？`,
      content: `连同 ${departments} 个下级部门、${people} 人一起移动。进行中的审批和预算不受影响，之后的订单按新的上级适用审批规则和预算。`,
      okText: '移动',
      onOk: run,
    })
  }
}

interface OutlineProps {
  branches: readonly Branch[]
  tree: DepartmentTree
  chosen: string
  onChoose: (key: string) => void
}

/** The department tree, with virtual scrolling, search and drag and drop. */
export function Outline({ branches, tree, chosen, onChoose }: OutlineProps) {
  const canKeep = tree.CanKeep
  const [keyword, setKeyword] = useState('')
  const [disabled, setDisabled] = useState(false)
  const [opened, setOpened] = useState<string[]>(() =>
    branches.flatMap((branch) => [
      branch.key,
      ...(branches.length > 3 ? [] : branch.children.map(({ key }) => key)),
    ]),
  )
  const shown = useMemo(
    () => filterBranches(branches, keyword, disabled),
    [branches, keyword, disabled],
  )
  const nodes = useMemo(() => nodesOf(shown), [shown])
  const all = useMemo(() => (keyword.trim() ? keysOf(shown) : opened), [keyword, shown, opened])
  const drop = useDrop(branches, tree)
  const onDrop: TreeProps<Node>['onDrop'] = ({ dragNode, node, dropToGap, dropPosition }) => {
    const at = dropToGap ? (dropPosition - Number(node.pos.split('-').at(-1)) < 0 ? -1 : 1) : 0
    drop(dragNode.key, node.key, at)
  }
  return (
    <section className={styles.outline} aria-label="部门树">
      <header>
        <Input.Search
          allowClear
          aria-label="搜索部门"
          placeholder="部门、编码、负责人、成本中心"
          value={keyword}
          onChange={(event) => setKeyword(event.target.value)}
        />
        <span className={styles.disabled}>
          <Switch
            size="small"
            checked={disabled}
            onChange={setDisabled}
            aria-label="显示已停用的部门"
          />{' '}
          显示已停用
        </span>
      </header>
      {nodes.length > 0 ? (
        <Tree<Node>
          height={560}
          itemHeight={32}
          blockNode
          showLine={{ showLeafIcon: false }}
          treeData={nodes}
          titleRender={titleOf}
          selectedKeys={[chosen]}
          expandedKeys={all}
          autoExpandParent={false}
          onExpand={(keys) => setOpened(keys.map(String))}
          onSelect={(_, { node }) => onChoose(node.key)}
          draggable={
            canKeep && !keyword.trim()
              ? {
                  icon: false,
                  nodeDraggable: (node) => !String(node.key).startsWith('enterprise-'),
                }
              : false
          }
          onDrop={onDrop}
        />
      ) : (
        <Empty title="没有符合条件的部门">换个名称、编码或负责人试试</Empty>
      )}
      {canKeep && nodes.length > 0 && (
        <p className={styles.tip}>拖动部门可以调整上级和顺序；也可以在右侧选择“移动”</p>
      )}
    </section>
  )
}
