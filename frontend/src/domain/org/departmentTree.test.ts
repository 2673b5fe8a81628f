import { expect, test } from 'vitest'
import {
  getBranches,
  findBranch,
  getClosedTargets,
  keysOf,
  filterBranches,
  getPath,
  getMoveTarget,
  getWeight,
  type Department,
  type Tree,
} from './departmentTree'

const row = (Id: string, ParentId: string | null, more: Partial<Department> = {}): Department => ({
  Id,
  ParentId,
  EnterpriseId: '1',
  Code: `D${Id}`,
  Name: `部门${Id}`,
  HeadId: null,
  HeadName: null,
  CostCenter: '',
  IsActive: true,
  AccountCount: 2,
  UpdatedAt: '2026-11-20T10:00:00+08:00',
  ...more,
})
const TREE: Tree = {
  ContainingIds: [],
  HeadedIds: [],
  Enterprises: [
    { Id: '1', Name: '甲公司', Code: 'A', CanKeepRoots: true },
    { Id: '2', Name: '乙公司', Code: 'B', CanKeepRoots: true },
  ],
  Departments: [
    row('10', null),
    row('11', '10'),
    row('12', '10', { HeadName: '王小明' }),
    row('13', '11'),
    row('20', null, { EnterpriseId: '2' }),
    row('14', null, { IsActive: false }),
  ],
  CanKeep: true,
}
const BRANCHES = getBranches(TREE)

test('departments stand below their parent and their enterprise, in their order', () => {
  expect(keysOf(BRANCHES)).toEqual([
    'enterprise-1',
    '10',
    '11',
    '13',
    '12',
    '14',
    'enterprise-2',
    '20',
  ])
  expect(getPath(BRANCHES, '13')).toEqual(['甲公司', '部门10', '部门11', '部门13'])
})

test('a department whose parent is out of sight stands under its enterprise', () => {
  expect(keysOf(getBranches({ ...TREE, Departments: [row('13', '11')] }))).toEqual([
    'enterprise-1',
    '13',
    'enterprise-2',
  ])
})

test('a search leaves what fits and what is above it; disabled ones are shown when wished', () => {
  expect(keysOf(filterBranches(BRANCHES, '王小', false))).toEqual(['enterprise-1', '10', '12'])
  expect(keysOf(filterBranches(BRANCHES, '', false))).not.toContain('14')
  expect(keysOf(filterBranches(BRANCHES, 'd14', true))).toEqual(['enterprise-1', '14'])
})

test('a branch weighs what is below it', () => {
  const branch = findBranch(BRANCHES, '10')
  expect(branch && getWeight(branch)).toEqual({ departments: 3, people: 8 })
})

test('a drop goes into, before or after a department of the same enterprise', () => {
  expect(getMoveTarget(BRANCHES, '13', '12', 0)).toEqual({ ParentId: '12' })
  expect(getMoveTarget(BRANCHES, '12', '11', -1)).toEqual({ ParentId: '10', BeforeId: '11' })
  expect(getMoveTarget(BRANCHES, '13', '11', 1)).toEqual({ ParentId: '10', BeforeId: '12' })
  expect(getMoveTarget(BRANCHES, '13', 'enterprise-1', 0)).toEqual({ ParentId: null })
})

test.each([
  ['10', '13', 0],
  ['10', '20', 0],
  ['10', '10', 0],
  ['11', '14', 0],
  ['enterprise-1', '10', 0],
] as const)('%s is not dropped on %s', (dragged, target, at) => {
  expect(getMoveTarget(BRANCHES, dragged, target, at)).toBeNull()
})

test('a tree of 1,000 is made in a moment', () => {
  const many = Array.from({ length: 1000 }, (_, at) =>
    row(String(at + 1), at === 0 ? null : String(Math.ceil(at / 3))),
  )
  const start = performance.now()
  expect(
    keysOf(filterBranches(getBranches({ ...TREE, Departments: many }), '部门9', false)).length,
  ).toBeGreaterThan(100)
  expect(performance.now() - start).toBeLessThan(500)
})

test('targets of a move are closed if they contain the person or make him a head above', () => {
  const tree = { ...TREE, ContainingIds: ['11', '10'], HeadedIds: ['12'] }
  const closedFor = (Id: string): string[] =>
    tree.Departments.filter(getClosedTargets(tree, { Id })).map((target) => target.Id)

  expect(closedFor('14')).toEqual(['10', '11', '12'])
  expect(closedFor('12')).toEqual(['10', '11'])
  expect(TREE.Departments.filter(getClosedTargets(TREE, { Id: '14' }))).toEqual([])
})
