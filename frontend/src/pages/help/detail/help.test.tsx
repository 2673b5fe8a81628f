import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { answer, sent } from '@/test/server'
import { Component } from '.'

const ROWS = [
  { Key: '1', Title: '退货与换货', Summary: '', Path: '/help/detail/1' },
  { Key: '2', Title: '取消订单', Summary: '', Path: '/help/detail/2' },
  { Key: '3', Title: '企业营销服务', Summary: '', Path: '/help/detail/3' },
]

function page(html = '<p>正文</p>') {
  answer('get', '/api/Content/Help', ROWS)
  answer('get', '/api/Content/Help/2', {
    Key: '2',
    Title: '取消订单',
    Summary: '摘要',
    Path: '/help/detail/2',
    Html: html,
    Sections: [],
    UpdatedAt: '2026-11-01T10:00:00+08:00',
  })
}

test('shows the page, the list with this one marked, and its neighbours', async () => {
  page()
  renderAt('/help/detail/2', Component, '/help/detail/:number')

  expect(await screen.findByRole('heading', { level: 1, name: '取消订单' })).toBeVisible()
  expect(screen.getByRole('link', { name: '取消订单' })).toHaveAttribute('aria-current', 'page')
  const neighbours = screen.getByRole('navigation', { name: '上一篇与下一篇' })
  expect([...neighbours.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    '/help/detail/1',
    '/help/detail/3',
  ])
})

test.each(['0', '16', '01', 'x'])('%s is no help page', async (number) => {
  renderAt(`/help/detail/${number}`, Component, '/help/detail/:number')

  expect(await screen.findByText('没有这个帮助页面')).toBeVisible()
  expect(sent).toEqual([])
})

test('a search names the pages and marks the word where it stands', async () => {
  page()
  answer('get', '/api/Content/HelpSearch', [
    { Title: '公司转账', Path: '/help/detail/6', Excerpt: '开票时核对税号' },
  ])
  renderAt('/help/detail/2', Component, '/help/detail/:number')

  await userEvent.type(await screen.findByRole('searchbox', { name: '搜索帮助' }), '税号')

  expect(await screen.findByRole('link', { name: /公司转账/ })).toHaveAttribute(
    'href',
    '/help/detail/6',
  )
  expect(screen.getByText('税号')).toBeVisible()
})

test('a search that finds nothing says what to do', async () => {
  page()
  answer('get', '/api/Content/HelpSearch', [])
  renderAt('/help/detail/2', Component, '/help/detail/:number')

  await userEvent.type(await screen.findByRole('searchbox', { name: '搜索帮助' }), '火星')

  expect(await screen.findByText('没有找到相关内容，换个词试试，或联系在线客服')).toBeVisible()
})
