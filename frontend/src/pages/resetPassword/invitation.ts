/**
 * An administrator's link: account and code stand behind the #, where no server sees them. Null for
 * anything else.
 */
export function getInvitation(hash: string): { account: string; code: string } | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  const account = params.get('account') ?? ''
  const code = params.get('code') ?? ''
  return account && /^[2-9A-HJKMNP-Z]{12}$/.test(code) ? { account, code } : null
}
