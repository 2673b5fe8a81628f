import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { addressRow, pageOf } from '@/test/fixtures'
import { renderDeskAt } from '@/test/renderDesk'
import { answer, sent } from '@/test/server'
import { signIn } from '@/test/session'
import { Component } from '.'

beforeEach(() => {
  signIn({ utype: 'GA' })
  answer(
    'get',
    '/api/Address',
    pageOf(
      addressRow({ Receiver: '王小明' }),
      addressRow({
        Id: '4',
        OwnerType: 'group',
        Receiver: '前台',
        UsableBy: '全集团',
        CanEdit: false,
      }),
    ),
  )
  answer('get', '/api/Enterprise', pageOf({ Id: '1', Name: '示例公司' }))
  answer('get', '/api/Department', pageOf({ Id: '2', Name: '行政部' }))
  answer('get', '/api/Address/Region', ['江苏省'])
  answer('post', '/api/Account/GetUserMenuList', [])
})

test('each address says who may use it, and one of others cannot be edited', async () => {
  renderDeskAt('/userCenter/management/address', Component)
  const shared = within((await screen.findByText('全集团')).closest('tr') as HTMLElement)
  expect(shared.getByRole('button', { name: '编辑' })).toBeDisabled()
  expect(shared.queryByRole('button', { name: '删除' })).toBeNull()
})

test('a new one of an enterprise is sent with its owner', async () => {
  answer('post', '/api/Address', addressRow({ Id: '9' }))
  renderDeskAt('/userCenter/management/address', Component)
  fireEvent.click(await screen.findByRole('button', { name: '新增地址' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(dialog.getByLabelText(/使用范围/), { target: { value: 'enterprise' } })
  await waitFor(() => expect(dialog.getByLabelText(/企业/)).toHaveValue('1'))
  fireEvent.click(dialog.getByRole('button', { name: '保存' }))
  await waitFor(() =>
    expect(
      sent.findLast(({ method, url }) => method === 'POST' && url.pathname === '/api/Address')
        ?.body,
    ).toMatchObject({ OwnerType: 'enterprise', EnterpriseId: '1', DepartmentId: null }),
  )
})
