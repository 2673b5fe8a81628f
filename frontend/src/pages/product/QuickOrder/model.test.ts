import { expect, test } from 'vitest'
import type { QuickLine, QuickOrder, QuickProduct } from '@/api/schema'
import {
  appendAnswer,
  chooseProduct,
  reasonOf,
  requantified,
  totalsOf,
  without,
  type Line,
} from './model'

const product = (given: Partial<QuickProduct> = {}): QuickProduct => ({
  ProductCode: '110001',
  ImageUrl: '',
  CustomerProductName: '中性笔',
  CustomerCode: '',
  CustomerPrice: '1.50',
  MallPrice: '2.00',
  IsAgreementPrice: true,
  Brand: '卓砚',
  ModelCode: 'ZY-1103',
  Pack: '',
  Unit: '支',
  BaseUnit: '',
  Contents: null,
  BaseUnitPrice: null,
  Tiers: [],
  MinQuantity: 10,
  StepQuantity: 5,
  Stock: 100,
  LeadDays: 1,
  IsOnSale: true,
  ...given,
})

const line = (given: Partial<QuickLine> = {}): QuickLine => ({
  No: 1,
  Text: '110001 10',
  Code: '110001',
  Status: 'ready',
  Reason: '',
  Unit: '',
  Search: '',
  Remark: '',
  Asked: 10,
  Quantity: 10,
  Amount: '15.00',
  MergedInto: null,
  Notices: [],
  Problem: null,
  Product: product(),
  Candidates: [],
  ...given,
})

const answered = (...Lines: QuickLine[]): QuickOrder => ({
  Lines,
  Summary: {
    Total: Lines.length,
    Ready: 0,
    Merged: 0,
    Choose: 0,
    Problem: 0,
    Skipped: 0,
    Amount: '0.00',
  },
})

test('lines of a second answer are numbered on', () => {
  const lines = appendAnswer(
    appendAnswer([], answered(line({ No: 3 }))),
    answered(line({ No: 2, Product: product({ ProductCode: '2' }) })),
  )
  expect(lines.map(({ No }) => No)).toEqual([3, 5])
})

test('a product that is there already gets the quantity of the new line, and the new line says where it went', () => {
  const [first, second] = appendAnswer(
    appendAnswer([], answered(line())),
    answered(line({ Quantity: 15 })),
  )
  expect([first?.Quantity, first?.Amount, second?.Status, second?.mergedInto]).toEqual([
    25,
    '37.50',
    'merged',
    first?.id,
  ])
})

test('what the server merged stays merged', () => {
  const lines = appendAnswer(
    [],
    answered(
      line({ Quantity: 20 }),
      line({ No: 2, Status: 'merged', MergedInto: 1, Amount: null }),
    ),
  )
  expect(totalsOf(lines)).toMatchObject({ counts: { ready: 1, merged: 1 }, pieces: 20 })
  expect(lines[1]?.mergedInto).toBe(lines[0]?.id)
})

test('a line whose quantity cannot be ordered keeps its reason beside a good line of the same product, and joins it once mended', () => {
  const tooMany = {
    Code: 'quantity_illegal',
    Message: '数量“99999999”无效',
    Suggestion: '',
    SuggestedQuantity: 10,
  }
  const lines = appendAnswer(
    [],
    answered(
      line(),
      line({ No: 2, Status: 'problem', Quantity: null, Amount: null, Problem: tooMany }),
    ),
  )
  expect(lines.map(({ Status, Quantity }) => [Status, Quantity])).toEqual([
    ['ready', 10],
    ['problem', null],
  ])
  const mended = requantified(lines, lines[1]?.id ?? 0, 10)
  expect(mended.map(({ Status, Quantity }) => [Status, Quantity])).toEqual([
    ['ready', 20],
    ['merged', 10],
  ])
})

test('choosing a candidate makes the quantity legal and says so', () => {
  const lines = appendAnswer(
    [],
    answered(
      line({
        Status: 'choose',
        Product: null,
        Quantity: 12,
        Amount: null,
        Candidates: [{ ...product(), Specs: [] }],
      }),
    ),
  )
  const [done] = chooseProduct(lines, lines[0]?.id ?? 0, product())
  expect([done?.Status, done?.Quantity, done?.Amount, done?.notices]).toEqual([
    'ready',
    15,
    '22.50',
    ['按 5 支递增，数量由 12 调整为 15'],
  ])
})

test('a quantity beyond the stock is a problem with what can be had', () => {
  const lines = appendAnswer([], answered(line({ Product: product({ Stock: 23 }) })))
  const [short] = requantified(lines, lines[0]?.id ?? 0, 25)
  expect(short && [short.Status, reasonOf(short), short.Problem?.SuggestedQuantity]).toEqual([
    'problem',
    '库存不足，仅剩 23 支，请减少数量或更换商品',
    20,
  ])
})

test('removing a line removes what was merged into it', () => {
  const lines = appendAnswer(
    [],
    answered(
      line(),
      line({ No: 2, Status: 'merged', MergedInto: 1 }),
      line({ No: 3, Product: product({ ProductCode: '2' }) }),
    ),
  )
  expect(without(lines, new Set([lines[0]?.id ?? 0])).map(({ No }) => No)).toEqual([3])
})

test('a quantity that reaches a tier costs its price', () => {
  const tiered = product({ Tiers: [{ Quantity: 50, Price: '1.20', BaseUnitPrice: null }] })
  const [read] = appendAnswer([], answered(line({ Product: tiered })))
  const [changed] = requantified([read as Line], (read as Line).id, 50)
  expect(changed?.Amount).toBe('60.00')
})

test('the note of another brand’s part number stays with the line', () => {
  const Notices = [{ Code: 'reference' as const, Message: '对应我们的“中性笔”（等同）' }]
  const [read] = appendAnswer([], answered(line({ Notices })))
  const [changed] = requantified([read as Line], (read as Line).id, 20)
  expect([changed?.notices, changed?.references]).toEqual([[], [Notices[0]?.Message]])
})
