import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import ChangeHistory from './ChangeDrawer'

const change = (more: object = {}) => ({
  Id: '1',
  At: '2026-11-20T10:00:00+08:00',
  By: { Id: '3', Name: '集管' },
  ActingFor: null,
  SubjectType: 'department',
  SubjectId: '7',
  SubjectName: '行政部',
  Action: 'update',
  ActionText: '修改',
  Note: '',
  Changes: [{ Field: 'name', Label: '部门名称', Before: '行政部', After: '综合部' }],
  ...more,
})
const has = (...items: object[]): void =>
  answer('get', '/api/Change', { Items: items, Total: items.length, PageIndex: 1, PageSize: 20 })
const Shown = () => (
  <ChangeHistory
    subjectType="department"
    subjectId="7"
    name="行政部"
    open
    onClose={() => undefined}
  />
)

beforeEach(() => signIn({ utype: 'GA' }))

test('a change tells who, when, from what and to what', async () => {
  has(change())
  renderDeskAt('/', Shown)
  const row = await screen.findByRole('listitem')
  expect(within(row).getByText('集管 · 2026-11-20 10:00')).toBeInTheDocument()
  expect(within(row).getByText('行政部').tagName).toBe('DEL')
  expect(within(row).getByText('综合部').tagName).toBe('INS')
  expect(sent.at(-1)?.url.search).toContain('SubjectType=department&SubjectId=7')
})

test("what was empty before says so, and what nobody did is the system's", async () => {
  has(
    change({
      By: null,
      Changes: [{ Field: 'cost_center', Label: '成本中心', Before: '', After: 'CC-1' }],
    }),
  )
  renderDeskAt('/', Shown)
  expect(await screen.findByText('空')).toBeInTheDocument()
  expect(screen.getByText(/^系统 · /)).toBeInTheDocument()
})

test('a change of staff who act as a customer names both', async () => {
  has(change({ By: { Id: '', Name: '平台客服' }, ActingFor: { Id: '3', Name: '集管' } }))
  renderDeskAt('/', Shown)
  expect(await screen.findByText('平台客服 代 集管 · 2026-11-20 10:00')).toBeInTheDocument()
})

test('no history yet is told in its own words', async () => {
  has()
  renderDeskAt('/', Shown)
  expect(await screen.findByText('还没有变更记录')).toBeInTheDocument()
})
