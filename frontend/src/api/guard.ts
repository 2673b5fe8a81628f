import { ApiError, MESSAGES } from '@/api/errors'

export const TIMEOUT = 60_000

export interface Guard {
  signal: AbortSignal
  /** Data moved: restart the 60 s. */
  rearm: () => void
  rest: () => void
  late: () => boolean
}

/** Abort after 60 s of silence: a call without an answer, or an answer without another byte. */
export function getGuard(outer: AbortSignal | undefined): Guard {
  const stop = new AbortController()
  let isLate = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = (): void => {
    clearTimeout(timer)
    stop.abort()
  }
  const rest = (): void => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', cancel)
  }
  const rearm = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      isLate = true
      cancel()
    }, TIMEOUT)
  }
  rearm()
  if (outer?.aborted) cancel()
  outer?.addEventListener('abort', cancel)
  return { signal: stop.signal, rearm, rest, late: () => isLate }
}

/**
 * Convert a failure: the caller's own abort stays as it is, everything else becomes 网络连接故障.
 */
export function toApiError(error: unknown, guard: Guard, outer: AbortSignal | undefined): unknown {
  return outer?.aborted
    ? error
    : new ApiError(MESSAGES.network, guard.late() ? 'timeout' : 'network', 0)
}

/** The same answer with the guard on its body until the last byte. */
export function guardBody(
  response: Response,
  guard: Guard,
  outer: AbortSignal | undefined,
): Response {
  const reader = response.body?.getReader()
  if (!reader) {
    guard.rest()
    return response
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          guard.rest()
          controller.close()
        } else {
          guard.rearm()
          controller.enqueue(value)
        }
      } catch (error) {
        guard.rest()
        controller.error(toApiError(error, guard, outer))
      }
    },
    cancel: (reason) => {
      guard.rest()
      return reader.cancel(reason)
    },
  })
  return new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  })
}
