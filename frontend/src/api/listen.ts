import { MESSAGES, ApiError } from '@/api/errors'
import { send, unwrap } from '@/api/transport'

/** One server-sent event with its parsed data. */
export interface ServerEvent {
  name: string
  data: Record<string, unknown>
}

/** Parse a stream of server-sent events. Comments (keep-alive) are skipped. */
export function eventParser(onEvent: (event: ServerEvent) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(
        block
          .split('\n')
          .map(
            (line) =>
              [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const,
          ),
      )
      const name = fields.get('event')
      if (name)
        onEvent({ name, data: JSON.parse(fields.get('data') ?? '{}') as Record<string, unknown> })
    }
  }
}

/**
 * POST and pass on the server-sent events of the answer. Ends after 60 s without data. Throws
 * ApiError when the server refuses.
 */
export async function listen(
  url: string,
  body: unknown,
  { signal, onEvent }: { signal: AbortSignal; onEvent: (event: ServerEvent) => void },
): Promise<void> {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  const response = await send({
    method: 'POST',
    url,
    headers,
    body: JSON.stringify(body),
    signal,
    loading: false,
  })
  const reader = response.headers.get('Content-Type')?.startsWith('text/event-stream')
    ? response.body?.getReader()
    : undefined
  if (!reader) {
    await unwrap(response)
    throw new ApiError(MESSAGES.failed, 'no_stream', response.status)
  }
  const decoder = new TextDecoder()
  const parse = eventParser(onEvent)
  for (;;) {
    // Each chunk is read after the one before.
    const { done, value } = await reader.read()
    if (done) return
    parse(decoder.decode(value, { stream: true }))
  }
}
