import { useMutation } from '@tanstack/react-query'
import { call } from '@/api/call'
import { session } from '@/lib/session'

export interface Credentials {
  UserName: string
  Password: string
  CaptchaVerifyParam?: string
}

/** Signs in and keeps the session; refusals are shown in the form. */
export const useLogin = () =>
  useMutation({
    mutationFn: async (body: Credentials) => {
      const answer = await call('post', '/api/Account/Login', { body, quiet: true, loading: false })
      if (!session.start(answer)) throw new Error('登录失败，请重试')
      return answer
    },
  })
