import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, type Answer, type Body } from '@/api/call'
import { useWrite } from '@/api/useWrite'

export type Tree = Answer<'/api/Department/Tree'>
export type Department = Tree['Departments'][number]
export type DepartmentBody = Body<'/api/Department'>
export type MoveTarget = Body<'/api/Department/{Id}/Move'>

/** A branch: an enterprise (its key begins with `enterprise-`), or a department. */
export interface Branch {
  key: string
  name: string
  department: Department | null
  enterpriseId: string
  children: Branch[]
}

export const managedTree = () =>
  queryOptions({
    queryKey: ['departments', 'tree'],
    queryFn: ({ signal }) => call('get', '/api/Department/Tree', { signal, quiet: true }),
    staleTime: 0,
  })

/** The query of people who may head a department, by name, account or mobile number. */
export const headsLike = (Keyword: string) =>
  queryOptions({
    queryKey: ['departments', 'people', Keyword],
    queryFn: ({ signal }) =>
      call('get', '/api/Department/People', { query: { Keyword }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

/** Queries that a change of the tree affects. */
const TOUCHED = ['departments', 'departmentTree', 'enterprises', 'changes', 'budgets', 'checkout']

export const useTreeWrite = <V, A>(write: (value: V) => Promise<A>) => useWrite(TOUCHED, write)

const enterpriseKey = (id: string): string => `enterprise-${id}`

/**
 * Return the tree: enterprises, and below them departments in order. A department whose parent
 * is not visible is directly below its enterprise.
 */
export function getBranches({ Enterprises, Departments }: Tree): Branch[] {
  const roots = new Map<string, Branch>(
    Enterprises.map(({ Id, Name }) => [
      Id,
      { key: enterpriseKey(Id), name: Name, department: null, enterpriseId: Id, children: [] },
    ]),
  )
  const branches = new Map<string, Branch>(
    Departments.map((row) => [
      row.Id,
      {
        key: row.Id,
        name: row.Name,
        department: row,
        enterpriseId: row.EnterpriseId,
        children: [],
      },
    ]),
  )
  for (const row of Departments) {
    const above =
      (row.ParentId ? branches.get(row.ParentId) : undefined) ?? roots.get(row.EnterpriseId)
    const own = branches.get(row.Id)
    if (own) above?.children.push(own)
  }
  return [...roots.values()]
}

/**
 * Return the branches that match a search, with their ancestors. Disabled departments are
 * included on request.
 */
export function filterBranches(
  branches: readonly Branch[],
  keyword: string,
  disabled: boolean,
): Branch[] {
  const word = keyword.trim().toLowerCase()
  const fits = ({ department }: Branch): boolean =>
    department !== null &&
    [department.Name, department.Code, department.CostCenter, department.HeadName ?? ''].some(
      (text) => text.toLowerCase().includes(word),
    )
  return branches.flatMap((branch) => {
    const children = filterBranches(branch.children, keyword, disabled)
    const isShown =
      branch.department === null
        ? !word || children.length > 0
        : (disabled || branch.department.IsActive || children.length > 0) &&
          (!word || fits(branch) || children.length > 0)
    return isShown ? [{ ...branch, children }] : []
  })
}

export const keysOf = (branches: readonly Branch[]): string[] =>
  branches.flatMap((branch) => [branch.key, ...keysOf(branch.children)])

/** Departments and people at and below a branch. */
export function getWeight(branch: Branch): { departments: number; people: number } {
  return branch.children.reduce(
    (sum, child) => {
      const below = getWeight(child)
      return {
        departments: sum.departments + below.departments + 1,
        people: sum.people + below.people,
      }
    },
    { departments: 0, people: branch.department?.AccountCount ?? 0 },
  )
}

export function findBranch(branches: readonly Branch[], key: string): Branch | undefined {
  for (const branch of branches) {
    const found = branch.key === key ? branch : findBranch(branch.children, key)
    if (found) return found
  }
  return undefined
}

/**
 * Return the new position after a drop: `at` is before (-1) or after (1) the target, or inside
 * it (0). Null if the position is not allowed.
 */
export function getMoveTarget(
  branches: readonly Branch[],
  dragged: string,
  target: string,
  at: -1 | 0 | 1,
): MoveTarget | null {
  const own = findBranch(branches, dragged)
  const other = findBranch(branches, target)
  if (
    !own?.department ||
    !other ||
    own.enterpriseId !== other.enterpriseId ||
    findBranch([own], target)
  )
    return null
  if (!other.department) return at === 0 ? { ParentId: null } : null
  if (at === 0) return other.department.IsActive ? { ParentId: other.key } : null
  const ParentId = other.department.ParentId ?? null
  if (at === -1) return { ParentId, BeforeId: other.key }
  const above =
    (ParentId === null ? undefined : findBranch(branches, ParentId)) ??
    findBranch(branches, enterpriseKey(other.enterpriseId))
  const siblings = (above?.children ?? []).map(({ key }) => key).filter((key) => key !== dragged)
  return { ParentId, BeforeId: siblings[siblings.indexOf(target) + 1] ?? null }
}

/** Whether the person is in the department or below it, and is no group admin. */
export const containsMe = (tree: Pick<Tree, 'ContainingIds'>, { Id }: { Id: string }): boolean =>
  tree.ContainingIds.includes(Id)

/**
 * Return the test for targets into which the server refuses this person to merge the department, and
 * below which he may not move it: the target contains the person, or he would become a head above
 * the department.
 */
export function getClosedTargets(
  tree: Pick<Tree, 'ContainingIds' | 'HeadedIds' | 'Departments'>,
  department: { Id: string },
): (target: { Id: string }) => boolean {
  const parents = new Map(tree.Departments.map(({ Id, ParentId }) => [Id, ParentId]))
  const getHeaded = ({ Id }: { Id: string }): string[] => {
    const path = new Set<string>()
    for (let at: string | null | undefined = Id; at && !path.has(at); at = parents.get(at))
      path.add(at)
    return tree.HeadedIds.filter((id) => path.has(id))
  }
  const present = getHeaded(department)
  return (target) =>
    containsMe(tree, target) || getHeaded(target).some((id) => !present.includes(id))
}

/** The names from the enterprise down. */
export function getPath(branches: readonly Branch[], key: string): string[] {
  for (const branch of branches) {
    if (branch.key === key) return [branch.name]
    const below = getPath(branch.children, key)
    if (below.length > 0) return [branch.name, ...below]
  }
  return []
}
