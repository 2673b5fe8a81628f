/** What the server's validators ask for, as far as it can be told while typing; a common password is known to the server alone. */
export interface Rule {
  text: string
  holds: boolean
}

export function passwordRules(password: string, account: string): Rule[] {
  const [typed, name] = [password.toLowerCase(), account.trim().toLowerCase()]
  const alike = typed !== '' && name !== '' && (typed.includes(name) || name.includes(typed))
  return [
    { text: '至少 8 个字符', holds: password.length >= 8 },
    { text: '不能全是数字', holds: password !== '' && !/^\d+$/.test(password) },
    { text: '不能与账号或昵称相似', holds: password !== '' && !alike },
  ]
}
