import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { renderDeskAt } from '@/test/renderDesk'
import { answer } from '@/test/server'
import { signIn } from '@/test/session'
import { Bands } from './Bands'
import { newBand, newStep, type BandDraft } from './draft'

beforeEach(() => {
  signIn()
  answer('get', '/api/ApprovalRule/Choices', [])
  answer('post', '/api/Category/GetCustomerCategories', [])
})

test('each band names its steps, and a new one begins where the last one ends', async () => {
  const low = { ...newBand(null), UpTo: '1000.00' }
  const head = { ...newStep(), Band: low.key }
  const above = { ...newStep(), ApproverKind: 'head_up' as const }
  const change = vi.fn<(rows: readonly BandDraft[]) => void>()
  renderDeskAt('/', () => <Bands rows={[low]} steps={[head, above]} onChange={change} />)
  expect(await screen.findByText('第 1 档的步骤：部门负责人 → 上 1 级部门负责人')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '添加一档' }))
  expect(change.mock.calls[0]?.[0][1]).toMatchObject({ Above: '1000.00', UpTo: null })
})
