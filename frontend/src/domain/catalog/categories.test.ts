import { QueryClient } from '@tanstack/react-query'
import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '@/api/call'
import { session } from '@/lib/session'
import { server } from '@/test/server'
import { signIn } from '@/test/session'
import { categories, watchCatalogue } from './categories'

const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 0 } } })
watchCatalogue(client)

let version = ''
let asked = 0
let round = 0

/** The tree for a new page. */
const opened = async (uid: string | null): Promise<void> => {
  client.removeQueries()
  await client.fetchQuery({ ...categories(uid), staleTime: 0 })
}
const answered = () => {
  asked += 1
  return HttpResponse.json(
    { MsgHeader: { Success: true }, MsgBody: [] },
    { headers: { 'X-Catalogue-Version': version } },
  )
}

beforeEach(() => {
  asked = 0
  round += 1
  version = `v${round}`
  server.use(
    http.post('/api/Category/GetCustomerCategories', answered),
    http.post('/api/Category/MallCategories', answered),
    http.post('/api/ShoppingCart/Count', () =>
      HttpResponse.json(
        { MsgHeader: { Success: true }, MsgBody: 1 },
        { headers: { 'X-Catalogue-Version': version } },
      ),
    ),
  )
})
afterEach(() => void vi.useRealTimers())

test('the tree is kept half an hour', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 })
  await opened(null)
  vi.setSystemTime(1_000_000 + 30 * 60_000 - 1)
  await opened(null)
  expect(asked).toBe(1)
  vi.setSystemTime(1_000_000 + 30 * 60_000)
  await opened(null)
  expect(asked).toBe(2)
})

test('it is kept per person', async () => {
  await opened('7')
  await opened('8')
  await opened('7')
  expect(asked).toBe(2)
  expect(Object.keys(localStorage).toSorted()).toEqual(['categories:7', 'categories:8'])
})

test('signing out drops it', async () => {
  signIn()
  await opened('7')
  session.end()
  expect(localStorage.getItem('categories:7')).toBeNull()
})

test('a change of the catalogue that any answer tells drops it', async () => {
  signIn()
  await opened('7')
  version = `${version}-changed`
  await call('post', '/api/ShoppingCart/Count')
  expect(localStorage.getItem('categories:7')).toBeNull()
})

test('an answer of the same catalogue drops nothing', async () => {
  signIn()
  await opened('7')
  await call('post', '/api/ShoppingCart/Count')
  expect(localStorage.getItem('categories:7')).not.toBeNull()
})
