import { expect, test } from 'vitest'
import {
  emptyDraft,
  listMissing,
  moveRow,
  newBand,
  newCondition,
  newStep,
  buildRuleBody,
  getWho,
  type RuleDraft,
} from './draft'

const draft = (change: Partial<RuleDraft> = {}): RuleDraft => ({
  ...emptyDraft(),
  Name: '大额',
  Place: 'group',
  Conditions: [{ ...newCondition('amount'), Amount: '500' }],
  ...change,
})

test('what is still missing is said in the order of the form', () => {
  expect(listMissing(emptyDraft())).toEqual([
    '请填写规则名称',
    '请选择适用范围',
    '请填写条件「订单金额」',
  ])
  expect(listMissing(draft({ Steps: [{ ...newStep(), ApproverKind: 'accounts' }] }))).toEqual([
    '请选择第 1 步的审批人',
  ])
  expect(listMissing(draft({ ValidFrom: '2026-03-02', ValidUntil: '2026-03-01' }))).toEqual([
    '失效日不能早于生效日',
  ])
  expect(listMissing(draft())).toEqual([])
})

test('the body names the place, and of a condition and a step only what their kind has', () => {
  const body = buildRuleBody(
    draft({
      Place: 'd:12',
      Conditions: [
        { ...newCondition('payment'), Items: [{ value: 'cod', label: '货到付款' }] },
        newCondition('over_budget'),
      ],
      Steps: [
        { ...newStep(), ApproverKind: 'role', Role: { value: '7', label: '财务' }, Mode: 'all' },
        newStep(),
      ],
    }),
  )
  expect([body.EnterpriseId, body.DepartmentId]).toEqual([null, '12'])
  expect(body.Conditions).toEqual([{ Kind: 'payment', Ids: ['cod'] }, { Kind: 'over_budget' }])
  expect(body.Steps).toEqual([
    { ApproverKind: 'role', Mode: 'all', Band: null, RoleId: '7' },
    { ApproverKind: 'head', Mode: 'any', Band: null },
  ])
})

test('a step names its band by its number, and a band has to have room', () => {
  const low = { ...newBand(null), UpTo: '1000.00' }
  const high = newBand('1000.00')
  const bands = draft({ Bands: [low, high], Steps: [newStep(), { ...newStep(), Band: high.key }] })
  expect(buildRuleBody(bands).Bands).toEqual([
    { Above: '0', UpTo: '1000.00', DepartmentIds: [], CategoryIds: [] },
    { Above: '1000.00', UpTo: null, DepartmentIds: [], CategoryIds: [] },
  ])
  expect(buildRuleBody(bands).Steps.map(({ Band }) => Band)).toEqual([null, 2])
  expect(listMissing(draft({ Bands: [{ ...high, UpTo: '1000.00' }] }))).toEqual([
    '第 1 档的金额上限须大于下限',
  ])
})

test('a step says who approves', () => {
  expect(
    [newStep(), { ...newStep(), ApproverKind: 'head_up' as const, LevelsUp: 2 }].map(getWho),
  ).toEqual(['部门负责人', '上 2 级部门负责人'])
})

test('a row moves by one, and stays at an end', () => {
  expect([moveRow(['a', 'b'], 1, -1), moveRow(['a', 'b'], 0, -1)]).toEqual([
    ['b', 'a'],
    ['a', 'b'],
  ])
})

test('a sum over time sends its days and its amount, and per cent may be zero', () => {
  const filled = draft({
    Conditions: [
      { ...newCondition('sum_department'), Amount: '3000.00' },
      { ...newCondition('price_rise'), Quantity: 0 },
      newCondition('first_brand'),
    ],
  })
  expect(buildRuleBody(filled).Conditions).toEqual([
    { Kind: 'sum_department', Amount: '3000.00', Days: 7 },
    { Kind: 'price_rise', Quantity: 0 },
    { Kind: 'first_brand' },
  ])
  expect(listMissing(filled)).toEqual([])
  expect(
    listMissing(draft({ Conditions: [{ ...newCondition('sum_brand'), Amount: '1', Days: null }] })),
  ).toEqual(['请填写条件「品牌累计」'])
})
