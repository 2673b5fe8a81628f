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
  Days: number | null
  Items: readonly Named[]
}

export interface BandDraft {
  key: string
  Above: string | null
  UpTo: string | null
  Departments: readonly Named[]
  Categories: readonly Named[]
}

export interface StepDraft {
  key: string
  ApproverKind: ApproverKind
  Mode: Mode
  Accounts: readonly Named[]
  Role: Named | null
  LevelsUp: number
  /** The key of a band. Null: the step applies to all bands. */
  Band: string | null
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
  Bands: readonly BandDraft[]
  Steps: readonly StepDraft[]
  AllowsSelfApproval: boolean
  AllowsSamePerson: boolean
  CopyAccounts: readonly Named[]
  CopyRoles: readonly Named[]
  ValidFrom: string | null
  ValidUntil: string | null
}

/** How a condition is filled in: an amount, a number, per cent, a sum over days, rows, or nothing. */
export type Shape = 'none' | 'amount' | 'quantity' | 'percent' | 'sum' | 'rows'

/** The kinds in the order of the editor, their group in the menu, and the words around the value. */
export const CONDITIONS: Readonly<
  Record<
    ConditionKind,
    { label: string; shape: Shape; group: string; before: string; after: string }
  >
> = {
  amount: row('订单金额', 'amount', '本单', '订单金额达到', '元（含税）'),
  category: row('商品类目', 'rows', '本单', '订单含有以下类目的商品'),
  product: row('指定商品', 'rows', '本单', '订单含有以下商品'),
  line_quantity: row('单行数量', 'quantity', '本单', '任一商品的数量达到'),
  department: row('申请部门', 'rows', '本单', '申请部门是以下部门或其下级'),
  requester: row('申请人', 'rows', '本单', '申请人是'),
  over_budget: row('超出预算', 'none', '本单', '订单超出预算余额'),
  payment: row('付款方式', 'rows', '本单', '付款方式是'),
  off_agreement: row('协议外商品', 'none', '本单', '订单含有协议外的商品'),
  price_rise: row('价格上涨', 'percent', '与以往相比', '单价比上次采购高', '% 以上'),
  sum_requester: row('申请人累计', 'sum', '累计（防拆单）', '同一申请人'),
  sum_department: row('部门累计', 'sum', '累计（防拆单）', '同一部门'),
  sum_category: row('类目累计', 'sum', '累计（防拆单）', '同一类目的商品'),
  sum_brand: row('品牌累计', 'sum', '累计（防拆单）', '同一品牌的商品'),
  sum_address: row('地址累计', 'sum', '累计（防拆单）', '同一收货地址'),
  first_product: row('首次采购的商品', 'none', '与以往相比', '订单含有企业首次采购的商品'),
  first_brand: row('首次采购的品牌', 'none', '与以往相比', '订单含有企业首次采购的品牌'),
  first_address: row('新收货地址', 'none', '与以往相比', '收货地址首次使用'),
  first_cost_center: row('新成本中心', 'none', '与以往相比', '成本中心首次使用'),
  first_project: row('新项目', 'none', '与以往相比', '项目首次使用'),
  first_payment: row('新付款方式', 'none', '与以往相比', '付款方式首次使用'),
}
function row(label: string, shape: Shape, group: string, before: string, after = '') {
  return { label, shape, group, before, after }
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
  Band: null,
})
/** Returns a new band that begins where the last band ends. */
export const newBand = (Above: string | null): BandDraft => ({
  key: newKey(),
  Above,
  UpTo: null,
  Departments: [],
  Categories: [],
})
export const bandName = (index: number): string => `第 ${index + 1} 档`
export const newCondition = (Kind: ConditionKind): ConditionDraft => ({
  key: newKey(),
  Kind,
  Amount: null,
  Quantity: null,
  Days: CONDITIONS[Kind].shape === 'sum' ? 7 : null,
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
  Bands: [],
  Steps: [newStep()],
  AllowsSelfApproval: false,
  AllowsSamePerson: false,
  CopyAccounts: [],
  CopyRoles: [],
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
  Band: step.Band === null ? null : `band-${step.Band}`,
})

const named = (rows: readonly { Id: string; Name: string }[]): Named[] =>
  rows.map(({ Id, Name }) => ({ value: Id, label: Name }))

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
  Conditions: rule.Conditions.map(({ Kind, Amount, Quantity, Days, Items }) => ({
    key: Kind,
    Kind,
    Amount,
    Quantity,
    Days,
    Items: Items.map(({ Id, Name }) => ({ value: Id, label: Name })),
  })),
  Bands: rule.Bands.map(({ No, Above, UpTo, Departments, Categories }) => ({
    key: `band-${No}`,
    Above: Number(Above) ? Above : null,
    UpTo,
    Departments: named(Departments),
    Categories: named(Categories),
  })),
  Steps: rule.Steps.map(stepDraft),
  AllowsSelfApproval: rule.AllowsSelfApproval,
  AllowsSamePerson: rule.AllowsSamePerson,
  CopyAccounts: named(rule.CopyAccounts),
  CopyRoles: named(rule.CopyRoles),
  ValidFrom: rule.ValidFrom,
  ValidUntil: rule.ValidUntil,
})

function stepBody(
  { ApproverKind, Mode, Accounts, Role, LevelsUp, Band: key }: StepDraft,
  bands: readonly BandDraft[],
): RuleBody['Steps'][number] {
  const Band = key === null ? null : bands.findIndex((band) => band.key === key) + 1 || null
  const step = { ApproverKind, Mode, Band }
  if (ApproverKind === 'accounts')
    return { ...step, AccountIds: Accounts.map(({ value }) => value) }
  if (ApproverKind === 'role') return { ...step, RoleId: Role?.value ?? null }
  return ApproverKind === 'head_up' ? { ...step, LevelsUp } : step
}

function conditionBody({
  Kind,
  Amount,
  Quantity,
  Days,
  Items,
}: ConditionDraft): NonNullable<RuleBody['Conditions']>[number] {
  switch (CONDITIONS[Kind].shape) {
    case 'none':
      return { Kind }
    case 'amount':
      return { Kind, Amount }
    case 'sum':
      return { Kind, Amount, Days }
    case 'quantity':
    case 'percent':
      return { Kind, Quantity }
    default:
      return { Kind, Ids: Items.map(({ value }) => value) }
  }
}

/** The request body of the editor. */
export function buildRuleBody(draft: RuleDraft): RuleBody {
  const id = draft.Place.slice(2)
  return {
    Name: draft.Name.trim(),
    EnterpriseId: draft.Place.startsWith('e:') ? id : null,
    DepartmentId: draft.Place.startsWith('d:') ? id : null,
    ConditionMode: draft.ConditionMode,
    Conditions: draft.Conditions.map(conditionBody),
    Bands: draft.Bands.map(({ Above, UpTo, Departments, Categories }) => ({
      Above: Above || '0',
      UpTo: UpTo || null,
      DepartmentIds: Departments.map(({ value }) => value),
      CategoryIds: Categories.map(({ value }) => value),
    })),
    Steps: draft.Steps.map((step) => stepBody(step, draft.Bands)),
    AllowsSelfApproval: draft.AllowsSelfApproval,
    AllowsSamePerson: draft.AllowsSamePerson,
    CopyAccountIds: draft.CopyAccounts.map(({ value }) => value),
    CopyRoleIds: draft.CopyRoles.map(({ value }) => value),
    ValidFrom: draft.ValidFrom,
    ValidUntil: draft.ValidUntil,
  }
}

function isFilled({ Kind, Amount, Quantity, Days, Items }: ConditionDraft): boolean {
  switch (CONDITIONS[Kind].shape) {
    case 'none':
      return true
    case 'amount':
      return Boolean(Amount)
    case 'sum':
      return Boolean(Amount) && Boolean(Days)
    case 'quantity':
      return Boolean(Quantity)
    case 'percent':
      return Quantity !== null
    default:
      return Items.length > 0
  }
}
const isNamed = ({ ApproverKind, Accounts, Role }: StepDraft): boolean =>
  ApproverKind === 'accounts' ? Accounts.length > 0 : ApproverKind === 'role' ? Role !== null : true

/** The missing inputs, in the order of the form. The rule is checked only if nothing is missing. */
export function listMissing(draft: RuleDraft): string[] {
  return [
    ...(draft.Name.trim() ? [] : ['请填写规则名称']),
    ...(draft.Place ? [] : ['请选择适用范围']),
    ...draft.Conditions.filter((row) => !isFilled(row)).map(
      ({ Kind }) => `请填写条件「${CONDITIONS[Kind].label}」`,
    ),
    ...draft.Bands.flatMap(({ Above, UpTo }, index) =>
      UpTo && Number(UpTo) <= Number(Above ?? 0) ? [`${bandName(index)}的金额上限须大于下限`] : [],
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
export function getWho({ ApproverKind, Accounts, Role, LevelsUp }: StepDraft): string {
  if (ApproverKind === 'accounts') return Accounts.map(({ label }) => label).join('、') || '请选择'
  if (ApproverKind === 'role') return Role ? `角色「${Role.label}」` : '请选择'
  return ApproverKind === 'head_up' ? `上 ${LevelsUp} 级部门负责人` : '部门负责人'
}

/** Moves a row by one place. Unchanged at either end. */
export function moveRow<T>(rows: readonly T[], index: number, by: -1 | 1): T[] {
  const copy = [...rows]
  const [row] = copy.splice(index, 1)
  if (row !== undefined) copy.splice(Math.max(0, index + by), 0, row)
  return copy
}
