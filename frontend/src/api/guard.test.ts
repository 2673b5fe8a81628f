import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isApiError } from '@/api/errors'
import { getGuard, TIMEOUT, guardBody } from '@/api/guard'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An answer that delivers its bytes when `send` is called. */
function slow(guard: ReturnType<typeof getGuard>): {
  response: Response
  send: (text: string) => void
  end: () => void
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given
    },
  })
  guard.signal.addEventListener('abort', () =>
    controller?.error(new DOMException('aborted', 'AbortError')),
  )
  return {
    response: guardBody(new Response(body), guard, undefined),
    send: (text) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
  }
}

test('a call is waited for 60 seconds', () => {
  expect(TIMEOUT).toBe(60_000)
  const guard = getGuard(undefined)
  vi.advanceTimersByTime(59_999)
  expect(guard.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect([guard.signal.aborted, guard.late()]).toEqual([true, true])
})

test('a stream may take longer than 60 seconds as long as bytes come', async () => {
  const guard = getGuard(undefined)
  const { response, send, end } = slow(guard)
  const text = response.text()
  for (const part of ['a', 'b', 'c']) {
    await vi.advanceTimersByTimeAsync(50_000)
    send(part)
    await vi.advanceTimersByTimeAsync(0)
  }
  end()
  expect(await text).toBe('abc')
})

test('a stream that is silent for 60 seconds ends with 网络连接故障', async () => {
  const guard = getGuard(undefined)
  const { response, send } = slow(guard)
  const failed = response.text().catch((error: unknown) => error)
  send('a')
  await vi.advanceTimersByTimeAsync(60_000)
  const error = await failed
  expect(isApiError(error, 'timeout') && error.message).toBe('网络连接故障')
})

test('a finished answer leaves no timer behind', async () => {
  const guard = getGuard(undefined)
  const { response, send, end } = slow(guard)
  send('a')
  end()
  await response.text()
  expect(vi.getTimerCount()).toBe(0)
})
