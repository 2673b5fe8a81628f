import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { renderAt } from '@/test/render'
import { answer } from '@/test/server'
import { signIn } from '@/test/session'
import { CategoryMenu } from './CategoryMenu'

const tree = Array.from({ length: 20 }, (_, index) => ({
  C1: { CategoryId: `${index + 1}`, Name: `大类${index + 1}`, CategoryGroup: `组${index + 1}` },
  Category2List: [
    {
      C2: { CategoryId: `${index + 1}0`, Name: `中类${index + 1}` },
      Category3List: [{ C3: { CategoryId: `${index + 1}00`, Name: `小类${index + 1}` } }],
    },
  ],
}))
const pane = (name: string): HTMLElement | null => screen.queryByRole('group', { name })
const item = (name: string): HTMLElement => screen.getByRole('button', { name })

async function show(): Promise<void> {
  answer('post', '/api/Category/MallCategories', tree)
  renderAt('/', CategoryMenu)
  // The pane's code is there, as after the first look at the menu.
  await userEvent.click(await screen.findByRole('button', { name: '组1' }))
  await screen.findByRole('group', { name: '组1' })
  await userEvent.keyboard('{Escape}')
}
const pass = (milliseconds: number): void => {
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })
}
afterEach(() => {
  vi.useRealTimers()
})

test('a visitor sees fifteen groups', async () => {
  await show()
  expect(screen.getAllByRole('button')).toHaveLength(15)
})

test('who is signed in sees eleven groups of his own tree', async () => {
  signIn()
  answer('post', '/api/Category/GetCustomerCategories', tree)
  renderAt('/', CategoryMenu)
  await screen.findByRole('button', { name: '组1' })
  expect(screen.getAllByRole('button')).toHaveLength(11)
})

test('a pane opens when the pointer rests, not when it passes', async () => {
  await show()
  vi.useFakeTimers()
  fireEvent.mouseEnter(item('组1'))
  pass(60)
  fireEvent.mouseEnter(item('组2'))
  pass(60)
  expect(pane('组1')).toBeNull()
  pass(40)
  expect(pane('组2')).toBeVisible()
})

test('a pointer on its way to the open pane crosses other items without changing it', async () => {
  await show()
  await userEvent.click(item('组1'))
  vi.useFakeTimers()
  fireEvent.mouseMove(item('组1'), { clientX: 50, clientY: 10 })
  fireEvent.mouseMove(item('组1'), { clientX: 70, clientY: 30 })
  fireEvent.mouseEnter(item('组2'))
  pass(150)
  fireEvent.mouseMove(item('组2'), { clientX: 120, clientY: 60 })
  pass(150)
  expect(pane('组1')).toBeVisible()
  pass(60)
  expect(pane('组2')).toBeVisible()
})

test('a pointer that moves straight down changes the pane at once', async () => {
  await show()
  await userEvent.click(item('组1'))
  vi.useFakeTimers()
  fireEvent.mouseMove(item('组1'), { clientX: 50, clientY: 10 })
  fireEvent.mouseMove(item('组1'), { clientX: 50, clientY: 40 })
  fireEvent.mouseEnter(item('组2'))
  pass(100)
  expect(pane('组2')).toBeVisible()
})

test('→ leads into the pane and Esc back to its item', async () => {
  await show()
  item('组1').focus()
  await userEvent.keyboard('{ArrowDown}{ArrowRight}')
  expect(screen.getByRole('link', { name: '大类2' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  expect(item('组2')).toHaveFocus()
  expect(pane('组2')).toBeNull()
})
