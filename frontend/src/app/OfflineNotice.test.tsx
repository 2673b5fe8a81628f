import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { renderAt } from '@/test/render'
import { server } from '@/test/server'
import { OfflineNotice } from './OfflineNotice'

test('a browser that has not noticed that the line is back learns it from the answer', async () => {
  server.use(http.get('/healthz', () => new HttpResponse('ok')))
  renderAt('/', OfflineNotice)
  act(() => void window.dispatchEvent(new Event('offline')))
  await userEvent.click(await screen.findByRole('button', { name: '重试' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
})
