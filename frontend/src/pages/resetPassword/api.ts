import { useMutation } from '@tanstack/react-query'
import { call } from '@/api/call'

/** The same answer whether the account exists or not. */
export const useSendCode = () =>
  useMutation({
    mutationFn: (UserName: string) =>
      call('post', '/api/Account/SendResetCode', {
        body: { UserName, Channel: 'email' },
        quiet: true,
        loading: false,
      }),
  })

export const useCheckCode = () =>
  useMutation({
    mutationFn: (body: { UserName: string; Code: string }) =>
      call('post', '/api/Account/CheckResetCode', { body, quiet: true, loading: false }),
  })

export const useReset = () =>
  useMutation({
    mutationFn: (body: { UserName: string; Code: string; NewPassword: string }) =>
      call('post', '/api/Account/ResetPassword', { body, quiet: true, loading: false }),
  })
