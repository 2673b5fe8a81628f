import { expect, test } from 'vitest'
import { getInvitation } from './invitation'

test("an administrator's link names the account and carries its code", () => {
  expect(getInvitation('#account=zhang.san&code=ABCDEFGH2345')).toEqual({
    account: 'zhang.san',
    code: 'ABCDEFGH2345',
  })
})

test.each([
  '',
  '#',
  '#account=x',
  '#code=ABCDEFGH2345',
  '#account=x&code=123456',
  '#account=x&code=<script>',
])('%s is none', (hash) => {
  expect(getInvitation(hash)).toBeNull()
})
