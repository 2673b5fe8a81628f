import { expect, test } from 'vitest'
import { addressLine } from './address'

test('a city that is its own province is said once', () => {
  expect(
    addressLine({
      Province: '上海市',
      City: '上海市',
      District: '浦东新区',
      Street: '示例路 1 号',
    }),
  ).toBe('上海市浦东新区示例路 1 号')
})

test('any other city follows its province', () => {
  expect(
    addressLine({ Province: '江苏省', City: '苏州市', District: '虎丘区', Street: '示例路 1 号' }),
  ).toBe('江苏省苏州市虎丘区示例路 1 号')
})
