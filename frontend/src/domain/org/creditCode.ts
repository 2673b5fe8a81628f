const ALPHABET = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]

/** Return the code without spaces and in capitals, as the server stores it. */
export const plainCreditCode = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase()

/** Return the error of a 统一社会信用代码 (GB 32100-2015), or null. The server checks it again. */
export function creditCodeFault(text: string): string | null {
  const code = plainCreditCode(text)
  if (code.length !== 18) return `统一社会信用代码为 18 位，已输入 ${code.length} 位`
  const places = code.split('').map((char) => ALPHABET.indexOf(char))
  if (places.includes(-1)) return '统一社会信用代码只含数字与大写字母（不含 I、O、S、V、Z）'
  const total = WEIGHTS.reduce((sum, weight, at) => sum + weight * (places[at] ?? 0), 0)
  return ALPHABET[(31 - (total % 31)) % 31] === code[17]
    ? null
    : '校验位不符，请核对统一社会信用代码'
}
