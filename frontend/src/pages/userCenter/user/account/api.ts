import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'
import { secondFactor, type Factors, type Proof } from '@/domain/account/secondFactor'
import { createPasskey, type PasskeyOptions } from '@/domain/account/webauthn'

export type SignIn = Answer<'/api/Account/Session'>['Items'][number]

/** The user's sessions, latest used first. */
export const sessions = (uid: string) =>
  queryOptions({
    queryKey: ['sessions', uid],
    queryFn: ({ signal }) =>
      call('get', '/api/Account/Session', { query: { PageSize: 100 }, signal, quiet: true }),
  })

/** Ends one session by its key. Without a key, ends all other sessions. */
export function useSignOut(uid: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (Id: string | null) =>
      call('post', '/api/Account/Session/SignOut', { body: Id ? { Id } : {} }),
    onSettled: () => client.invalidateQueries({ queryKey: sessions(uid).queryKey }),
  })
}

export type OwnPasskey = Factors['Passkeys'][number]

const SECOND_FACTOR = '/api/Account/SecondFactor'
type Plain = 'ForgetDevices' | 'Remove' | 'RemoveAuthenticator'

/** The calls that change the user's second factor. Those that may create recovery codes return them. */
export function useSecondFactor(uid: string) {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: secondFactor(uid).queryKey })
  const send = <B>(act: (body: B) => Promise<readonly string[]>) => ({ mutationFn: act, onSettled })
  return {
    beginAuthenticator: useMutation({
      mutationFn: (body: Proof & { Password?: string }) =>
        call('post', `${SECOND_FACTOR}/Begin`, { body, quiet: true }),
    }),
    beginPasskey: useMutation({
      mutationFn: async (body: Proof & { Password?: string }) => {
        const { PublicKey } = await call('post', `${SECOND_FACTOR}/PasskeyBegin`, {
          body,
          quiet: true,
        })
        return PublicKey as unknown as PasskeyOptions
      },
    }),
    confirm: useMutation(
      send(async (body: { SecondFactorCode: string }) => {
        const { RecoveryCodes } = await call('post', `${SECOND_FACTOR}/Confirm`, {
          body,
          quiet: true,
        })
        return RecoveryCodes
      }),
    ),
    addPasskey: useMutation(
      send(async ({ name, options }: { name: string; options: PasskeyOptions }) => {
        const body = { Name: name, ...(await createPasskey(options)) }
        const { RecoveryCodes } = await call('post', `${SECOND_FACTOR}/PasskeyAdd`, {
          body,
          quiet: true,
        })
        return RecoveryCodes
      }),
    ),
    renewCodes: useMutation(
      send(async (body: Proof) => {
        const { RecoveryCodes } = await call('post', `${SECOND_FACTOR}/RenewCodes`, {
          body,
          quiet: true,
        })
        return RecoveryCodes
      }),
    ),
    change: useMutation(
      send(async ({ act, proof }: { act: Plain; proof: Proof }) => {
        await call('post', `${SECOND_FACTOR}/${act}`, { body: proof, quiet: true })
        return []
      }),
    ),
    removePasskey: useMutation(
      send(async ({ Id, proof }: { Id: string; proof: Proof }) => {
        await call('post', `${SECOND_FACTOR}/PasskeyRemove`, {
          body: { Id: Number(Id), ...proof },
          quiet: true,
        })
        return []
      }),
    ),
  }
}
