import { beforeEach, expect, test, vi } from 'vitest'
import { reportError } from '@/api/errors'
import { plugShell } from '@/api/shell'

const shown: string[] = []
beforeEach(() => {
  shown.length = 0
  plugShell({ error: (message) => shown.push(message) })
})

test('a hundred messages are remembered: the hundred and first pushes the oldest out', () => {
  for (let number = 0; number < 100; number += 1) reportError(`错误${number}`)
  reportError('错误0')
  expect(shown).toHaveLength(100)
  reportError('错误100')
  reportError('错误0')
  expect(shown.slice(100)).toEqual(['错误100', '错误0'])
})

test('what is older than three seconds is cleared away every ten', async () => {
  vi.resetModules()
  vi.useFakeTimers()
  const deleted = vi.spyOn(Map.prototype, 'delete')
  const fresh = await import('@/api/errors')
  fresh.reportError('过期')
  deleted.mockClear()
  vi.advanceTimersByTime(9999)
  expect(deleted).not.toHaveBeenCalledWith('过期')
  vi.advanceTimersByTime(1)
  expect(deleted).toHaveBeenCalledWith('过期')
  deleted.mockRestore()
  vi.useRealTimers()
})
