import { expect, test } from 'vitest'
import { listDraftLines } from './draft'
import { noteLine } from './model'

const MANY = { ...noteLine(1, '110001 99999999', ''), Status: 'problem' as const, Code: '110001' }

test('a line whose quantity could not be read keeps its text alone, so that it is refused again', () => {
  expect(listDraftLines([MANY, noteLine(2, '编码 数量', '表头')])).toEqual([
    { Text: '110001 99999999' },
    { Text: '编码 数量', Reason: '表头', Into: null },
  ])
})
