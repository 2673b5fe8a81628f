import { queryOptions } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'
import { askPasskey, type PasskeyOptions, type PasskeyUse } from './webauthn'

export type Factors = Answer<'/api/Account/SecondFactor'>

/** The second factor in a body: a code, or the use of a passkey. */
export interface Proof {
  SecondFactorCode?: string
  Passkey?: PasskeyUse
}

/** The state of the user's second factor. */
export const secondFactor = (uid: string) =>
  queryOptions({
    queryKey: ['secondFactor', uid],
    queryFn: ({ signal }) => call('get', '/api/Account/SecondFactor', { signal, quiet: true }),
  })

/** Asks for a passkey of the user, to prove who it is. */
export async function provePasskey(): Promise<PasskeyUse> {
  const { PublicKey } = await call('post', '/api/Account/SecondFactor/PasskeyChallenge', {
    quiet: true,
  })
  if (!PublicKey) throw new Error('您还没有通行密钥，请刷新后重试')
  return askPasskey(PublicKey as unknown as PasskeyOptions)
}
