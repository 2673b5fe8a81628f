import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { RecurringPage } from '@/domain/recurring/recurring'
import { answer } from '@/test/server'
import { renderAt } from '@/test/render'
import { Component } from './index'

test('a stopped recurring order shows its reason and leads to its page', async () => {
  const page: RecurringPage = {
    Items: [
      {
        RecurringNo: 'RO1',
        Name: '茶水间补货',
        Status: 'blocked',
        StatusText: '待处理',
        BlockReason: 'price_rose',
        BlockReasonText: '价格上涨',
        ScheduleText: '每周四',
        NextDue: '2026-11-26',
        EndsOn: null,
        Requester: { Id: '1', Name: '小采' },
        Department: '行政部',
        LineCount: 2,
        AgreedAmount: '30.00',
        AllowedActions: ['decide'],
      },
    ],
    States: [{ Code: 'blocked', Count: 1 }],
    Total: 1,
    PageIndex: 1,
    PageSize: 20,
  }
  answer('get', '/api/RecurringOrder', page)
  renderAt('/userCenter/order/recurring', Component)

  expect(await screen.findByText('价格上涨')).toBeVisible()
  expect(screen.getByRole('link', { name: '茶水间补货' })).toHaveAttribute(
    'href',
    '/userCenter/order/recurring/RO1',
  )
})
