import { queryOptions } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'

export type DepartmentRow = Answer<'/api/Department'>['Items'][number]

export interface DepartmentNode {
  value: string
  title: string
  /** An enterprise is a branch, no department. */
  selectable: boolean
  children: DepartmentNode[]
}

/**
 * The departments and enterprises this person sees, as one tree: enterprises above, departments in
 * their order below.
 */
export const departmentTree = queryOptions({
  queryKey: ['departmentTree'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => {
    const page = { PageIndex: 1, PageSize: 1000 as const }
    const [departments, enterprises] = await Promise.all([
      call('get', '/api/Department', { query: page, signal, quiet: true }),
      call('get', '/api/Enterprise', { query: page, signal, quiet: true }),
    ])
    return getTree(departments.Items, enterprises.Items)
  },
})

/** Return the tree. A department whose parent is not visible is directly below its enterprise. */
export function getTree(
  departments: readonly DepartmentRow[],
  enterprises: readonly { Id: string; Name: string }[],
): DepartmentNode[] {
  const nodes = new Map(
    departments.map(({ Id, Name }) => [
      Id,
      { value: Id, title: Name, selectable: true, children: [] as DepartmentNode[] },
    ]),
  )
  const roots = new Map(
    enterprises.map(({ Id, Name }) => [
      Id,
      {
        value: `enterprise-${Id}`,
        title: Name,
        selectable: false,
        children: [] as DepartmentNode[],
      },
    ]),
  )
  for (const { Id, ParentId, EnterpriseId } of departments) {
    const node = nodes.get(Id)
    const above = (ParentId ? nodes.get(ParentId) : undefined) ?? roots.get(EnterpriseId)
    if (node && above) above.children.push(node)
  }
  return [...roots.values()].filter(({ children }) => children.length > 0)
}
