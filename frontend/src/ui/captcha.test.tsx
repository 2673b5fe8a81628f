import { QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { testClient } from '@/test/render'
import { answer } from '@/test/server'
import { Captcha } from './Captcha'

const PUZZLE = {
  Id: 'p-1',
  Background: 'data:,',
  Piece: 'data:,',
  Y: 20,
  Width: 340,
  Height: 180,
  PieceSize: 50,
}

function show(onSolved: (param: string | null) => void = () => undefined): void {
  render(
    <QueryClientProvider client={testClient()}>
      <Captcha onSolved={onSolved} />
    </QueryClientProvider>,
  )
}

test('there is nothing to slide before the puzzle has come', async () => {
  answer('get', '/api/Account/Captcha', PUZZLE)
  show()
  expect(screen.getByRole('slider')).toBeDisabled()
  await waitFor(() => expect(screen.getByRole('slider')).toBeEnabled())
})

test('two keys between two renderings both count', async () => {
  answer('get', '/api/Account/Captcha', PUZZLE)
  const solved = vi.fn<(param: string | null) => void>()
  show(solved)
  await waitFor(() => expect(screen.getByRole('slider')).toBeEnabled())
  const slider = screen.getByRole('slider')
  act(() => {
    fireEvent.keyDown(slider, { key: 'ArrowRight' })
    fireEvent.keyDown(slider, { key: 'ArrowRight' })
    fireEvent.keyDown(slider, { key: 'ArrowRight', shiftKey: true })
  })
  expect(slider).toHaveAttribute('aria-valuenow', '11')
  fireEvent.keyDown(slider, { key: 'Enter' })
  expect(JSON.parse(solved.mock.lastCall?.[0] ?? '{}')).toMatchObject({ Id: 'p-1', X: 11 })
})
