import { MESSAGES, ApiError } from '@/api/errors'
import { send, unwrap } from '@/api/transport'

/** One server-sent event: its name, and its data as the server wrote it. */
export interface Told {
  name: string
  data: Record<string, unknown>
}

/** Takes a stream apart as it comes; what is told between events (comments that say somebody is there) is left out. */
export function teller(onEvent: (told: Told) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const))
      const name = fields.get('event')
      if (name) onEvent({ name, data: JSON.parse(fields.get('data') ?? '{}') as Record<string, unknown> })
    }
  }
}

/** Posts, and hands on the server-sent events of the answer as they come; silence of 60 s ends it. Raises ApiError where the server refuses. */
export async function listen(url: string, body: unknown, { signal, onEvent }: { signal: AbortSignal; onEvent: (told: Told) => void }): Promise<void> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const response = await send({ method: 'POST', url, headers, body: JSON.stringify(body), signal, loading: false })
  const reader = response.headers.get('Content-Type')?.startsWith('text/event-stream') ? response.body?.getReader() : undefined
  if (!reader) {
    await unwrap(response)
    throw new ApiError(MESSAGES.failed, 'no_stream', response.status)
  }
  const decoder = new TextDecoder()
  const tell = teller(onEvent)
  for (;;) {
    // One piece after the other: that is what a stream is.
    // oxlint-disable-next-line no-await-in-loop
    const { done, value } = await reader.read()
    if (done) return
    tell(decoder.decode(value, { stream: true }))
  }
}
