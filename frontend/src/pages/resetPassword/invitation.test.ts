import { expect, test } from 'vitest'
import { invitationOf } from './invitation'

test("an administrator's link names the account and carries its code", () => {
  expect(invitationOf('#account=zhang.san&code=ABCDEFGH2345')).toEqual({
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
  expect(invitationOf(hash)).toBeNull()
})
