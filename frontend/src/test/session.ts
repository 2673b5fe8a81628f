import { session } from '@/lib/session'

const base64 = (value: unknown): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** A token as the server would sign it; `n` makes one differ from the next. */
export const token = (claims: Record<string, unknown> = {}, n = 1): string =>
  `h.${base64({ uid: '7', utype: 'PU', nname: '张采购', Enterprise: { Id: '1', Name: '示例公司' }, Role: ['采购员'], n, ...claims })}.s`

export function signIn(claims: Record<string, unknown> = {}): void {
  session.start({ Token: token(claims), RefreshToken: 'refresh-1' })
}
