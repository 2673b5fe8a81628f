import { http, HttpResponse, type JsonBodyType } from 'msw'
import { setupServer } from 'msw/node'

export const server = setupServer()

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The requests of the client, in order, for calls that a test has answered. */
export const sent: { method: string; url: URL; body: unknown; headers: Headers }[] = []

const template = (path: string): string => encodeURI(path.replace(/\{(\w+)\}/g, ':$1'))

async function note(request: Request): Promise<void> {
  const text = await request.clone().text()
  const body =
    request.headers.get('Content-Type')?.includes('application/json') && text
      ? (JSON.parse(text) as unknown)
      : text
  sent.push({ method: request.method, url: new URL(request.url), body, headers: request.headers })
}

/** The server answers this MsgBody. */
export function answer(method: Verb, path: string, body: unknown): void {
  server.use(
    http[method](template(path), async ({ request }) => {
      await note(request)
      return HttpResponse.json({
        MsgHeader: { Success: true, RetCode: '', RetMessage: '' },
        MsgBody: body,
      } as JsonBodyType)
    }),
  )
}

interface Refusal {
  code?: string
  message?: string
  body?: unknown
  status?: number
  headers?: Record<string, string>
}

/** The server refuses, as a business refusal (status 200) or with a status of its own. */
export function refuse(
  method: Verb,
  path: string,
  { code = 'failed', message = '', body = null, status = 200, headers = {} }: Refusal = {},
): void {
  server.use(
    http[method](template(path), async ({ request }) => {
      await note(request)
      return HttpResponse.json(
        {
          MsgHeader: { Success: false, RetCode: code, RetMessage: message },
          MsgBody: body,
        } as JsonBodyType,
        { status, headers },
      )
    }),
  )
}
