/**
 * The server's password rules, as far as the page can check them. Only the server knows the common
 * passwords.
 */
export interface Rule {
  text: string
  isMet: boolean
}

export function passwordRules(password: string, account: string): Rule[] {
  const [typed, name] = [password.toLowerCase(), account.trim().toLowerCase()]
  const isAlike = typed !== '' && name !== '' && (typed.includes(name) || name.includes(typed))
  return [
    { text: '至少 8 个字符', isMet: password.length >= 8 },
    { text: '不能全是数字', isMet: password !== '' && !/^\d+$/.test(password) },
    { text: '不能与账号或昵称相似', isMet: password !== '' && !isAlike },
  ]
}

export interface Strength {
  /** 0 without input, otherwise 1 to 3. */
  level: 0 | 1 | 2 | 3
  text: '' | '弱' | '中' | '强'
}

/**
 * The strength of a password, by length and kinds of characters. A password that violates a rule is
 * weak.
 */
export function passwordStrength(password: string, account: string): Strength {
  if (password === '') return { level: 0, text: '' }
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length
  const differing = new Set(password).size
  if (passwordRules(password, account).some(({ isMet }) => !isMet) || differing < 5)
    return { level: 1, text: '弱' }
  const points = Math.min(password.length, differing * 2) + kinds * 3
  if (points >= 21) return { level: 3, text: '强' }
  return points >= 15 ? { level: 2, text: '中' } : { level: 1, text: '弱' }
}
