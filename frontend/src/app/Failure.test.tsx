import { act, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { Failure } from './Failure'

vi.mock('@/domain/content/Masthead', () => ({ Masthead: () => null }))

const SHELL = '<script defer src="/static/app/main.1.js"></script>'

/** Open a route whose chunk does not load; the server answers with the page `served`. */
async function open({ served, loading = '' }: { served: string; loading?: string }): Promise<void> {
  document.head.innerHTML = SHELL + loading
  const answer = new Response(served)
  vi.stubGlobal('fetch', () => Promise.resolve(answer))
  const router = createMemoryRouter([
    {
      path: '/',
      loader: () => {
        throw Object.assign(new Error('504'), { name: 'ChunkLoadError' })
      },
      element: null,
      errorElement: <Failure />,
    },
  ])
  render(<RouterProvider router={router} />)
  await vi.waitFor(() => expect(answer.bodyUsed).toBe(true))
  await act(async () => undefined)
}

test('a chunk that is still loading is not taken for a new release', async () => {
  await open({ served: SHELL, loading: '<script src="/static/app/552.js"></script>' })

  expect(await screen.findByText('页面加载失败')).toBeInTheDocument()
})

test('another build on the server is a new release', async () => {
  await open({ served: SHELL.replace('main.1', 'main.2') })

  expect(await screen.findByText('商城已更新')).toBeInTheDocument()
})
