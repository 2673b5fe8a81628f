import { ApiError, MESSAGES } from '@/api/errors'

export const TIMEOUT = 60_000

export interface Guard {
  signal: AbortSignal
  /** Something has come (or gone): another 60 s. */
  rearm: () => void
  rest: () => void
  late: () => boolean
}

/** Ends what has been silent for 60 s: a call without an answer, an answer or a stream without another byte. */
export function guardOf(outer: AbortSignal | undefined): Guard {
  const stop = new AbortController()
  let late = false
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
      late = true
      cancel()
    }, TIMEOUT)
  }
  rearm()
  if (outer?.aborted) cancel()
  outer?.addEventListener('abort', cancel)
  return { signal: stop.signal, rearm, rest, late: () => late }
}

/** What a failed exchange is to the caller: his own cancelling as it is, everything else 网络连接故障. */
export function failure(error: unknown, guard: Guard, outer: AbortSignal | undefined): unknown {
  return outer?.aborted ? error : new ApiError(MESSAGES.network, guard.late() ? 'timeout' : 'network', 0)
}

/** The same answer, its body watched to its last byte. */
export function watched(response: Response, guard: Guard, outer: AbortSignal | undefined): Response {
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
        controller.error(failure(error, guard, outer))
      }
    },
    cancel: (reason) => {
      guard.rest()
      return reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}
