import { expect, test } from 'vitest'
import { getTree, type DepartmentRow } from './departments'

const row = (Id: string, ParentId: string | null, EnterpriseId = '1'): DepartmentRow => ({
  Id,
  ParentId,
  EnterpriseId,
  Code: Id,
  Name: `部门${Id}`,
  CostCenter: '',
  HeadId: null,
  HeadName: null,
})
const ENTERPRISES = [
  { Id: '1', Name: '甲' },
  { Id: '2', Name: '乙' },
]

test('departments stand under their parents, these under their enterprise', () => {
  const [first, second] = getTree([row('a', null), row('b', 'a'), row('c', null, '2')], ENTERPRISES)
  expect(first?.children[0]?.children[0]?.value).toBe('b')
  expect(second?.title).toBe('乙')
})

test('a department whose parent is out of sight is not lost', () => {
  expect(getTree([row('b', 'unseen')], ENTERPRISES)[0]?.children.map(({ value }) => value)).toEqual(
    ['b'],
  )
})

test('an enterprise is no department, and one without any is left out', () => {
  const tree = getTree([row('a', null)], ENTERPRISES)
  expect(tree.map(({ selectable, title }) => [selectable, title])).toEqual([[false, '甲']])
})
