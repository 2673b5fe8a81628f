import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, type RenderResult } from '@testing-library/react'
import type { ComponentType } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'

/** A client that neither retries nor keeps anything, as tests want it. */
export const testClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: { queries: { retry: false, gcTime: Infinity }, mutations: { retry: false } },
  })

/**
 * Renders a screen at its address; `path` is the route's pattern where it has parameters. Other
 * addresses show their own text.
 */
export function renderAt(
  url: string,
  Component: ComponentType,
  path: string = url.split('?')[0] ?? url,
): RenderResult & { location: () => string } {
  const router = createMemoryRouter(
    [
      { path, Component },
      { path: '*', element: <p>别的页面</p> },
    ],
    { initialEntries: [url] },
  )
  const result = render(
    <QueryClientProvider client={testClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return Object.assign(result, {
    location: () => router.state.location.pathname + router.state.location.search,
  })
}
