import type { Rule, RuleBody, RuleStep } from '@/domain/approvals/rules'

export interface Named {
  value: string
  label: string
}

export type ConditionKind = NonNullable<RuleBody['Conditions']>[number]['Kind']
export type ApproverKind = RuleBody['Steps'][number]['ApproverKind']
export type Mode = 'any' | 'all'

export interface ConditionDraft {
  key: string
  Kind: ConditionKind
  Amount: string | null
  Quantity: number | null
  Items: readonly Named[]
}

export interface StepDraft {
  key: string
  ApproverKind: ApproverKind
  Mode: Mode
  Accounts: readonly Named[]
  Role: Named | null
  LevelsUp: number
}

export interface RuleDraft {
  Id: string | undefined
  UpdatedAt: string | undefined
  Name: string
  /** `group`, `e:ID` or `d:ID`. */
  Place: string
  PlaceText: string
  ConditionMode: Mode
  Conditions: readonly ConditionDraft[]
  Steps: readonly StepDraft[]
  AllowsSelfApproval: boolean
  ValidFrom: string | null
  ValidUntil: string | null
}

/** The kinds in the order of the editor, and the word before the value. */
export const CONDITIONS: Readonly<
  Record<ConditionKind, { label: string; before: string; after: string }>
> = {
  amount: { label: '订单金额', before: '订单金额达到', after: '元（含税）' },
  category: { label: '商品类目', before: '订单含有以下类目的商品', after: '' },
  product: { label: '指定商品', before: '订单含有以下商品', after: '' },
  line_quantity: { label: '单行数量', before: '任一商品的数量达到', after: '' },
  department: { label: '申请部门', before: '申请部门是以下部门或其下级', after: '' },
  requester: { label: '申请人', before: '申请人是', after: '' },
  over_budget: { label: '超出预算', before: '订单超出预算余额', after: '' },
  payment: { label: '付款方式', before: '付款方式是', after: '' },
}
export const CONDITION_KINDS = Object.keys(CONDITIONS) as ConditionKind[]
export const PAYMENTS: readonly Named[] = [
  { value: 'credit', label: '月结' },
  { value: 'cod', label: '货到付款' },
  { value: 'transfer', label: '公司转账' },
  { value: 'online', label: '在线支付' },
]
export const APPROVERS: Readonly<Record<ApproverKind, string>> = {
  head: '部门负责人',
  head_up: '上级部门负责人',
  role: '某个角色的人',
  accounts: '指定的人',
}

let made = 0
export const newKey = (): string => `new-${(made += 1)}`

export const newStep = (): StepDraft => ({
  key: newKey(),
  ApproverKind: 'head',
  Mode: 'any',
  Accounts: [],
  Role: null,
  LevelsUp: 1,
})
export const newCondition = (Kind: ConditionKind): ConditionDraft => ({
  key: newKey(),
  Kind,
  Amount: null,
  Quantity: null,
  Items: [],
})

export const emptyDraft = (): RuleDraft => ({
  Id: undefined,
  UpdatedAt: undefined,
  Name: '',
  Place: '',
  PlaceText: '',
  ConditionMode: 'all',
  Conditions: [newCondition('amount')],
  Steps: [newStep()],
  AllowsSelfApproval: false,
  ValidFrom: null,
  ValidUntil: null,
})

const stepDraft = (step: RuleStep): StepDraft => ({
  key: `step-${step.No}`,
  ApproverKind: step.ApproverKind,
  Mode: step.Mode,
  Accounts: step.Accounts.map(({ Id, Name }) => ({ value: Id, label: Name })),
  Role: step.RoleId ? { value: step.RoleId, label: step.RoleName ?? '' } : null,
  LevelsUp: step.LevelsUp || 1,
})

/** The state of a rule in the editor. */
export const toDraft = (rule: Rule): RuleDraft => ({
  Id: rule.Id,
  UpdatedAt: rule.UpdatedAt,
  Name: rule.Name,
  Place: rule.DepartmentId
    ? `d:${rule.DepartmentId}`
    : rule.EnterpriseId
      ? `e:${rule.EnterpriseId}`
      : 'group',
  PlaceText: rule.PlaceText,
  ConditionMode: rule.ConditionMode,
  Conditions: rule.Conditions.map(({ Kind, Amount, Quantity, Items }) => ({
    key: Kind,
    Kind,
    Amount,
    Quantity,
    Items: Items.map(({ Id, Name }) => ({ value: Id, label: Name })),
  })),
  Steps: rule.Steps.map(stepDraft),
  AllowsSelfApproval: rule.AllowsSelfApproval,
  ValidFrom: rule.ValidFrom,
  ValidUntil: rule.ValidUntil,
})

function stepBody({
  ApproverKind,
  Mode,
  Accounts,
  Role,
  LevelsUp,
}: StepDraft): RuleBody['Steps'][number] {
  if (ApproverKind === 'accounts')
    return { ApproverKind, Mode, AccountIds: Accounts.map(({ value }) => value) }
  if (ApproverKind === 'role') return { ApproverKind, Mode, RoleId: Role?.value ?? null }
  return ApproverKind === 'head_up' ? { ApproverKind, Mode, LevelsUp } : { ApproverKind, Mode }
}

function conditionBody({
  Kind,
  Amount,
  Quantity,
  Items,
}: ConditionDraft): NonNullable<RuleBody['Conditions']>[number] {
  if (Kind === 'over_budget') return { Kind }
  if (Kind === 'amount') return { Kind, Amount }
  return Kind === 'line_quantity'
    ? { Kind, Quantity }
    : { Kind, Ids: Items.map(({ value }) => value) }
}

/** The request body of the editor. */
export function toBody(draft: RuleDraft): RuleBody {
  const id = draft.Place.slice(2)
  return {
    Name: draft.Name.trim(),
    EnterpriseId: draft.Place.startsWith('e:') ? id : null,
    DepartmentId: draft.Place.startsWith('d:') ? id : null,
    ConditionMode: draft.ConditionMode,
    Conditions: draft.Conditions.map(conditionBody),
    Steps: draft.Steps.map(stepBody),
    AllowsSelfApproval: draft.AllowsSelfApproval,
    ValidFrom: draft.ValidFrom,
    ValidUntil: draft.ValidUntil,
  }
}

const isFilled = ({ Kind, Amount, Quantity, Items }: ConditionDraft): boolean =>
  Kind === 'over_budget' ||
  (Kind === 'amount'
    ? Boolean(Amount)
    : Kind === 'line_quantity'
      ? Boolean(Quantity)
      : Items.length > 0)
const isNamed = ({ ApproverKind, Accounts, Role }: StepDraft): boolean =>
  ApproverKind === 'accounts' ? Accounts.length > 0 : ApproverKind === 'role' ? Role !== null : true

/** The missing inputs, in the order of the form. The rule is checked only if nothing is missing. */
export function missing(draft: RuleDraft): string[] {
  return [
    ...(draft.Name.trim() ? [] : ['请填写规则名称']),
    ...(draft.Place ? [] : ['请选择适用范围']),
    ...draft.Conditions.filter((row) => !isFilled(row)).map(
      ({ Kind }) => `请填写条件「${CONDITIONS[Kind].label}」`,
    ),
    ...draft.Steps.flatMap((step, index) =>
      isNamed(step) ? [] : [`请选择第 ${index + 1} 步的审批人`],
    ),
    ...(draft.Steps.length ? [] : ['请至少添加一个审批步骤']),
    ...(draft.ValidFrom && draft.ValidUntil && draft.ValidUntil < draft.ValidFrom
      ? ['失效日不能早于生效日']
      : []),
  ]
}

/** The approvers of a step, as text. */
export function whoOf({ ApproverKind, Accounts, Role, LevelsUp }: StepDraft): string {
  if (ApproverKind === 'accounts') return Accounts.map(({ label }) => label).join('、') || '请选择'
  if (ApproverKind === 'role') return Role ? `角色「${Role.label}」` : '请选择'
  return ApproverKind === 'head_up' ? `上 ${LevelsUp} 级部门负责人` : '部门负责人'
}

/** Moves a row by one place. Unchanged at either end. */
export function moved<T>(rows: readonly T[], index: number, by: -1 | 1): T[] {
  const copy = [...rows]
  const [row] = copy.splice(index, 1)
  if (row !== undefined) copy.splice(Math.max(0, index + by), 0, row)
  return copy
}
