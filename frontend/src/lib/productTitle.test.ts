import { expect, test } from 'vitest'
import { getMallTitle, getProductTitle, prependBrand } from './productTitle'

test('the brand comes first, once', () => {
  expect(prependBrand('卓砚', '按动中性笔')).toBe('卓砚 按动中性笔')
  expect(prependBrand('卓砚', '卓砚 ZY-1103 按动中性笔')).toBe('卓砚 ZY-1103 按动中性笔')
  expect(prependBrand('ZHO YAN', 'zhoyan 按动中性笔')).toBe('zhoyan 按动中性笔')
})

test('a product without a brand, or out of the catalogue, has no brand in front', () => {
  expect(prependBrand(null, '按动中性笔')).toBe('按动中性笔')
  expect(prependBrand('卓砚', '')).toBe('')
})

test("the customer's own name is the title, and the mall's name is said below", () => {
  const row = { Brand: '卓砚', CustomerProductName: '签字笔' }
  expect(getProductTitle(row)).toBe('卓砚 签字笔')
  expect(getProductTitle({ Brand: '卓砚', Name: '签字笔' })).toBe('卓砚 签字笔')
  expect(getMallTitle(row, '按动中性笔')).toBe('卓砚 按动中性笔')
  expect(getMallTitle(row, '卓砚 签字笔')).toBe('')
  expect(getMallTitle(row, '')).toBe('')
})
