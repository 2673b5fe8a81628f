import { useMutation } from '@tanstack/react-query'
import { call } from '@/api/call'
import type { PasskeyUse } from './webauthn'

export interface Credentials {
  UserName: string
  Password: string
  CaptchaVerifyParam?: string
  SecondFactorCode?: string
  Passkey?: PasskeyUse
  RememberDevice?: boolean
}

const REMEMBERED = 'rememberedAccount'
export { REMEMBERED }

/** Redirect to 企业微信, which returns to /wechat-work-auth. */
export const useWeChatWorkBegin = () =>
  useMutation({
    mutationFn: async (returnUrl: string) => {
      const { Url } = await call('post', '/api/Account/WeChatWorkBegin', {
        body: { ReturnUrl: returnUrl },
        quiet: true,
        loading: false,
      })
      window.location.assign(Url)
    },
  })
