import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { Dialog } from './Dialog'
import { Field, Input } from './Field'
import { ApiError } from '@/api/errors'
import { signIn } from '@/test/session'
import { Button } from './Button'
import { MoreActions } from './MoreActions'
import { pageNumbers } from './Pager'
import { PasswordInput } from './PasswordInput'
import { Price } from './Price'
import { ProductCard } from './ProductCard'
import { legalQuantity } from './quantity'
import { ErrorState } from './States'
import { Stepper } from './Stepper'
import { Tabs } from './Tabs'

test.each([
  [1, 6],
  [6, 6],
  [7, 18],
  [18, 18],
  [1000, 42],
])('minimum 6, step 12, at most 50: %i becomes %i', (wanted, legal) => {
  expect(legalQuantity(wanted, { min: 6, step: 12, max: 50 })).toBe(legal)
})

test('a typed quantity becomes legal on Enter', async () => {
  const change = vi.fn<(quantity: number) => void>()
  render(<Stepper value={5} min={5} step={5} onChange={change} />)
  const input = screen.getByRole('textbox', { name: '数量' })
  await userEvent.clear(input)
  await userEvent.type(input, '12{Enter}')
  expect(change).toHaveBeenCalledExactlyOnceWith(15)
})

const typing = async (text: string): Promise<void> => {
  await userEvent.clear(screen.getByRole('textbox'))
  await userEvent.type(screen.getByRole('textbox'), text)
}

test.each([
  ['3', 10, '按 2 盒递增，已调整为 4'],
  ['1', 10, '2 盒起订，已调整为 2'],
  ['2.5', 10, '按 2 盒递增，已调整为 4'],
  ['99999', 5030, '库存仅 5,030 盒，已调整为 5,030'],
  ['9', 9, '库存仅 9 盒，按 2 盒递增，已调整为 8'],
])('typed %s with a stock of %i: the change is said below the field', async (typed, max, said) => {
  render(
    <Stepper
      value={2}
      min={2}
      step={2}
      max={max}
      unit="盒"
      limit="库存"
      onChange={() => undefined}
    />,
  )
  await typing(`${typed}{Enter}`)
  expect(screen.queryByRole('alert')?.textContent).toBe(said)
  expect(screen.getByRole('textbox')).toHaveAccessibleDescription(said)
})

test('too many is said while it is typed, and a legal quantity says nothing', async () => {
  render(<Stepper value={2} max={30} unit="支" onChange={() => undefined} />)
  await typing('300')
  expect(screen.getByRole('alert')).toHaveTextContent('最多 30 支')
  expect(screen.getByRole('textbox')).toBeInvalid()
  await typing('30{Enter}')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('what was said of a quantity goes when another one comes', async () => {
  const { rerender } = render(<Stepper value={2} min={2} step={2} onChange={() => undefined} />)
  await typing('3{Enter}')
  rerender(<Stepper value={4} min={2} step={2} onChange={() => undefined} />)
  expect(screen.getByRole('alert')).toHaveTextContent('按 2 件递增，已调整为 4')
  rerender(<Stepper value={8} min={2} step={2} onChange={() => undefined} />)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('none is a quantity where it is allowed', async () => {
  const change = vi.fn<(quantity: number) => void>()
  render(<Stepper value={3} min={0} onChange={change} />)
  await typing('0{Enter}')
  expect(change).toHaveBeenCalledExactlyOnceWith(0)
})

test('half a piece becomes the next whole one, not ten times as many; what is no number changes nothing', async () => {
  const change = vi.fn<(quantity: number) => void>()
  render(<Stepper value={4} onChange={change} label="数量" />)
  for (const typed of ['1.5', '1.5.2', '']) {
    await userEvent.clear(screen.getByRole('textbox'))
    await userEvent.type(screen.getByRole('textbox'), `${typed}{Enter}`)
  }
  expect(change.mock.calls).toEqual([[2]])
})

test('at the minimum nothing can be taken away', () => {
  render(<Stepper value={5} min={5} onChange={() => undefined} />)
  expect(screen.getByRole('button', { name: '减少' })).toBeDisabled()
})

test('a price has its thousands, and the dearer market price is struck through', () => {
  render(<Price value="1234.5" market="2000" />)
  expect(screen.getByText('1,234.50')).toBeVisible()
  expect(screen.getByText('¥2,000.00').tagName).toBe('DEL')
})

test('a market price that is not dearer is left out', () => {
  render(<Price value="10.00" market="10.00" />)
  expect(document.querySelector('del')).toBeNull()
})

test('a loading button ignores presses, and it is not disabled, so it keeps the focus', async () => {
  const press = vi.fn<() => void>()
  const submit = vi.fn<() => void>()
  render(
    <form onSubmit={submit}>
      <Button loading type="submit" onClick={press}>
        提交
      </Button>
    </form>,
  )
  const button = screen.getByRole('button', { name: '提交' })
  await userEvent.click(button)
  await userEvent.keyboard('{Enter}')
  expect([press.mock.calls, submit.mock.calls]).toEqual([[], []])
  expect(button).toBeEnabled()
  expect(button).toHaveAttribute('aria-disabled', 'true')
})

test('更多 opens by key, an action closes it and returns the focus, and so does Esc', async () => {
  const act = vi.fn<() => void>()
  render(
    <MoreActions>
      <button type="button" onClick={act}>
        撤回
      </button>
    </MoreActions>,
  )
  const more = screen.getByRole('button', { name: '更多' })
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await userEvent.tab()
  expect(screen.getByRole('button', { name: '撤回' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(act).toHaveBeenCalledOnce()
  expect(screen.queryByRole('button', { name: '撤回' })).toBeNull()
  expect(more).toHaveFocus()

  await userEvent.keyboard('{Enter}')
  await userEvent.tab()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('button', { name: '撤回' })).toBeNull()
  expect(more).toHaveFocus()
})

test('a field speaks its error', () => {
  render(
    <Field label="用户名" error="请输入用户名">
      <Input />
    </Field>,
  )
  expect(screen.getByLabelText('用户名')).toHaveAccessibleDescription('请输入用户名')
  expect(screen.getByLabelText('用户名')).toBeInvalid()
})

test('a dialog has its title as its name and closes by its cross', async () => {
  const close = vi.fn<() => void>()
  render(
    <Dialog title="系统提示" open onClose={close}>
      内容
    </Dialog>,
  )
  expect(screen.getByRole('dialog', { name: '系统提示' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '关闭' }))
  expect(close).toHaveBeenCalledOnce()
})

test('the arrow keys walk the tabs', async () => {
  const change = vi.fn<(key: string) => void>()
  render(
    <Tabs
      label="状态"
      value="a"
      onChange={change}
      tabs={[
        { key: 'a', label: '甲' },
        { key: 'b', label: '乙', count: 3 },
      ]}
    />,
  )
  screen.getByRole('tab', { name: '甲' }).focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(change).toHaveBeenCalledExactlyOnceWith('b')
})

test('page numbers leave gaps', () => {
  expect(pageNumbers(6, 20)).toEqual([1, 0, 4, 5, 6, 7, 8, 0, 20])
  expect(pageNumbers(1, 1)).toEqual([1])
})

test('a card leads to the product, and says that it is out of stock', () => {
  render(
    <MemoryRouter>
      <ProductCard
        product={{
          ProductCode: '100',
          CustomerProductName: '签字笔',
          Brand: '采优选',
          CustomerPrice: '1.00',
          Stock: 0,
        }}
      />
    </MemoryRouter>,
  )
  expect(screen.getByRole('link', { name: '采优选 签字笔' })).toHaveAttribute('href', '/100.html')
  expect(screen.getByText('暂时缺货')).toBeVisible()
})

test('a missing price asks nobody to sign in who is', () => {
  signIn()
  render(<Price value={null} />)
  expect(screen.getByText('—')).toBeVisible()
  expect(screen.queryByText('登录后可见')).toBeNull()
})

test('who asked wrongly is told what to change, not to load again', () => {
  const { rerender } = render(
    <ErrorState
      error={new ApiError('结束日期不能早于开始日期', 'validation', 200, null, 'abc')}
      onRetry={() => undefined}
    />,
  )
  expect(screen.getByRole('alert')).toHaveTextContent(
    '结束日期不能早于开始日期请修改查询条件后重试',
  )
  expect(screen.queryByRole('button')).toBeNull()
  rerender(
    <ErrorState
      error={new ApiError('服务器故障', 'http_500', 500, null, 'abc')}
      onRetry={() => undefined}
    />,
  )
  expect(screen.getByRole('button', { name: '重新加载' })).toBeInTheDocument()
})

test('the eye shows the password and hides it again', async () => {
  render(<PasswordInput aria-label="密码" defaultValue="demo-Mall-2026" />)
  const field = screen.getByLabelText('密码')
  expect(field).toHaveAttribute('type', 'password')
  await userEvent.click(screen.getByRole('button', { name: '显示密码' }))
  expect(field).toHaveAttribute('type', 'text')
  await userEvent.click(screen.getByRole('button', { name: '隐藏密码' }))
  expect(field).toHaveAttribute('type', 'password')
})
