import type { SelectScenario } from '@/api/schema'
import { toFen } from '@/lib/money'
import type { SelectionRequest } from './api'

export interface KindForm {
  name: string
  unit: string
  /** The quantity per head, and the extra quantity for all together, as typed. */
  perHead: string
  fixed: string
  on: boolean
  available: boolean
  /** The user added it. It is not part of the scenario. */
  own: boolean
}

export interface ScenarioForm {
  code: string
  heads: string
  budget: string
  kinds: readonly KindForm[]
  exclude: string
}

/** The last card has no preselected kinds. */
export const CUSTOM: SelectScenario = {
  Code: '',
  Name: '自定义',
  Hint: '自己写要配哪些商品',
  HeadsName: '人数',
  HeadCount: 10,
  Budget: '1000.00',
  Kinds: [],
}

export const MAX_KINDS = 20
const plainNumber = (text: string): string => String(Number(text))

/** The initial form values of a scenario. */
export const getForm = (scenario: SelectScenario): ScenarioForm => ({
  code: scenario.Code,
  heads: String(scenario.HeadCount),
  budget: scenario.Budget.replace(/\.00$/, ''),
  kinds: scenario.Kinds.map(({ Name, Unit, PerHead, Fixed, IsDefault, Available }) => ({
    name: Name,
    unit: Unit.split('/')[0] ?? '',
    perHead: plainNumber(PerHead),
    fixed: String(Fixed),
    on: IsDefault && Available,
    available: Available,
    own: false,
  })),
  exclude: '',
})

export const createKind = (name: string): KindForm => ({
  name,
  unit: '',
  perHead: '1',
  fixed: '0',
  on: true,
  available: true,
  own: true,
})

/** The form errors by field. The server validates again. */
export function findMistakes({ heads, budget, kinds }: ScenarioForm): {
  heads?: string
  budget?: string
  kinds?: string
} {
  const found: { heads?: string; budget?: string; kinds?: string } = {}
  if (!/^\d{1,6}$/.test(heads) || Number(heads) < 1 || Number(heads) > 100_000)
    found.heads = '请填写 1 到 100000 的整数'
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(budget) || toFen(budget) < 1)
    found.budget = '请填写大于 0 的金额'
  const on = kinds.filter((kind) => kind.on)
  if (!on.length) found.kinds = '请至少选择一种商品'
  else if (on.length > MAX_KINDS) found.kinds = `最多选 ${MAX_KINDS} 种，请去掉一些`
  else if (on.some(({ perHead, fixed }) => !(Number(perHead) > 0 || Number(fixed) > 0)))
    found.kinds = '有品类的数量为 0，请填写数量或去掉'
  return found
}

export const splitWords = (text: string): string[] =>
  text
    .split(/[\s,，、;；]+/)
    .filter(Boolean)
    .slice(0, MAX_KINDS)

export const toBody = ({
  code,
  heads,
  budget,
  kinds,
  exclude,
}: ScenarioForm): SelectionRequest => ({
  Scenario: {
    ...(code ? { Code: code } : {}),
    HeadCount: Number(heads),
    Budget: budget,
    Kinds: kinds
      .filter(({ on }) => on)
      .map(({ name, perHead, fixed }) => ({
        Name: name,
        PerHead: perHead || '0',
        Fixed: Number(fixed || 0),
      })),
    Exclude: splitWords(exclude),
  },
})
