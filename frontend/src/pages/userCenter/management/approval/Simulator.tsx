import { Button, Drawer, InputNumber, Select } from 'antd'
import { useId, useState } from 'react'
import { type PictureStep, StepPicture } from '@/domain/approvals/StepPicture'
import { useSimulate, type SimulateBody, type Simulation } from '@/domain/approvals/rules'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { MoneyInput } from './MoneyInput'
import { CategoriesSelect, RuledDepartmentSelect, ManySelect, OneSelect } from './Pickers'
import { PAYMENTS, type Named } from './draft'
import styles from './rules.module.css'

type Budget = 'within' | 'over' | 'asks'
const BUDGETS: readonly { value: Budget; label: string }[] = [
  { value: 'within', label: '按当前余额' },
  { value: 'over', label: '假设超出预算' },
  { value: 'asks', label: '假设超出预算，且预算要求审批' },
]

interface TrialForm {
  person: Named | null
  amount: string | null
  department: string | undefined
  categories: readonly Named[]
  products: readonly Named[]
  quantity: number
  payment: NonNullable<SimulateBody['PaymentKind']>
  budget: Budget
  /** The budget that the order uses. Undefined: the nearest one. */
  budgetId: string | undefined
}
const EMPTY: TrialForm = {
  person: null,
  amount: '1000.00',
  department: undefined,
  categories: [],
  products: [],
  quantity: 1,
  payment: 'credit',
  budget: 'within',
  budgetId: undefined,
}

const bodyOf = (wish: TrialForm): SimulateBody => ({
  AccountId: wish.person?.value ?? '',
  Amount: wish.amount ?? '0',
  DepartmentId: wish.department ?? null,
  Lines: [
    ...wish.products.map(({ value }) => ({ ProductCode: value, Quantity: wish.quantity })),
    ...wish.categories.map(({ value }) => ({ CategoryId: value, Quantity: wish.quantity })),
  ],
  PaymentKind: wish.payment,
  BudgetId: wish.budgetId ?? null,
  OverBudget: wish.budget !== 'within',
  BudgetNeedsApproval: wish.budget === 'asks',
})

export function Result({ data }: { data: Simulation }) {
  const matched = data.Rules.filter(({ IsMatched }) => IsMatched)
  const others = data.Rules.filter(({ IsMatched }) => !IsMatched)
  const isRefused = data.Refusals.length > 0
  const isFine = !data.Needed && !isRefused
  const chain = data.Needed ? `需要审批，共 ${data.Chain.length} 步` : '无需审批'
  const verdict = isRefused
    ? `不能提交；如可提交，${chain}`
    : `${chain}${data.Needed ? '' : '，提交后直接进入待确认'}`
  return (
    <section className={styles.result} aria-label="模拟结果">
      <p className={cx(styles.verdict, isFine ? styles.fine : styles.warn)}>
        <Icon name={isFine ? 'check' : 'approve'} size={20} />
        {verdict}
      </p>
      <p className={styles.hint}>
        按 {data.Requester.Name}
        {data.Department && `（${data.Department}）`}
        今天的预算余额、采购限额和月结额度计算，与提交订单时相同；不含专项预算
      </p>
      {data.Refusals.map((text) => (
        <p key={text} className={cx(styles.problem, styles.stop)} role="alert">
          按以上条件不能提交：{text}
        </p>
      ))}
      {data.OtherReasons.map((text) => (
        <p key={text} className={styles.problem}>
          另因“{text}”需要审批
        </p>
      ))}
      {data.Needed && (
        <StepPicture
          label="审批链"
          steps={data.Chain.map((step): PictureStep => ({
            key: step.Step,
            who: step.IsForStaff
              ? '平台客服'
              : [...step.Approvers, ...step.Skipped].map(({ Name }) => Name).join('、'),
            mode: step.Mode,
            count: step.Approvers.length || 1,
            note: [
              step.RuleName,
              step.Note,
              ...step.Skipped.map(({ Name, Why }) => `${Name}：${Why}`),
              ...data.StandIns.filter(({ Step }) => Step === step.Step).map(({ By, For, WhyNot }) =>
                WhyNot
                  ? `代理人 ${By.Name} 不能代 ${For.Name} 审批：${WhyNot}`
                  : `今日可由 ${By.Name} 代 ${For.Name} 审批`,
              ),
            ]
              .filter(Boolean)
              .join(' · '),
            isSkipped: !step.IsForStaff && step.Approvers.length === 0,
          }))}
        />
      )}
      <h3>匹配的规则（{matched.length}）</h3>
      {matched.length === 0 && <p className={styles.hint}>没有规则匹配这张订单</p>}
      <ul className={styles.verdicts}>
        {matched.map(({ RuleId, RuleName, Why }) => (
          <li key={RuleId} className={styles.hit}>
            <b>{RuleName}</b>
            <span>{Why.join('；')}</span>
          </li>
        ))}
      </ul>
      {others.length > 0 && <h3>未匹配的规则（{others.length}）</h3>}
      <ul className={styles.verdicts}>
        {others.map(({ RuleId, RuleName, WhyNot }) => (
          <li key={RuleId}>
            <b>{RuleName}</b>
            <span>{WhyNot.join('；')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Simulates the approval of an order without placing it. */
export default function Simulator({ onClose }: { onClose: () => void }) {
  const [wish, setWish] = useState(EMPTY)
  const simulate = useSimulate()
  const set = (change: Partial<TrialForm>): void => setWish({ ...wish, ...change })
  const hint = useId()
  // The budgets of the last simulation, as long as it is the same person in the same department.
  const isSame =
    simulate.variables?.AccountId === wish.person?.value &&
    simulate.variables?.DepartmentId === (wish.department ?? null)
  const budgets = (isSame ? (simulate.data?.Budgets ?? []) : []).map(({ Id, Name }) => ({
    value: Id,
    label: Name,
  }))
  const missing = [...(wish.person ? [] : ['申请人']), ...(wish.amount ? [] : ['订单金额'])]
  return (
    <Drawer title="模拟审批" open size={760} onClose={onClose}>
      <form
        className={styles.fields}
        aria-label="模拟条件"
        onSubmit={(event) => {
          event.preventDefault()
          simulate.mutate(bodyOf(wish))
        }}
      >
        <div>
          申请人
          <OneSelect
            kind="account"
            value={wish.person}
            onChange={(person) => set({ person, budgetId: undefined })}
            label="申请人"
          />
        </div>
        <div>
          订单金额（元，含税）
          <MoneyInput value={wish.amount} label="订单金额" onChange={(amount) => set({ amount })} />
        </div>
        <div>
          假设在部门
          <RuledDepartmentSelect
            value={wish.department}
            onChange={(department) => set({ department, budgetId: undefined })}
            label="假设在部门"
            placeholder="申请人所在部门"
          />
        </div>
        <div>
          商品类目
          <CategoriesSelect
            value={wish.categories}
            onChange={(rows) => set({ categories: rows })}
            label="商品类目"
          />
        </div>
        <div>
          商品
          <ManySelect
            kind="product"
            value={wish.products}
            onChange={(products) => set({ products })}
            label="商品"
          />
        </div>
        <div>
          每种数量
          <InputNumber
            min={1}
            max={999999}
            precision={0}
            style={{ width: '100%' }}
            value={wish.quantity}
            aria-label="每种数量"
            onChange={(quantity) => set({ quantity: quantity ?? 1 })}
          />
        </div>
        <div>
          付款方式
          <Select
            value={wish.payment}
            options={[...PAYMENTS] as { value: TrialForm['payment']; label: string }[]}
            aria-label="付款方式"
            onChange={(payment) => set({ payment })}
          />
        </div>
        <div>
          预算
          <Select
            value={wish.budget}
            options={[...BUDGETS]}
            aria-label="预算"
            onChange={(budget) => set({ budget })}
          />
        </div>
        {budgets.length > 1 && (
          <div>
            使用的预算
            <Select
              allowClear
              value={wish.budgetId}
              options={budgets}
              placeholder={`默认：${budgets[0]?.label ?? ''}`}
              aria-label="使用的预算"
              onChange={(budgetId: string | undefined) => set({ budgetId })}
            />
          </div>
        )}
        <Button
          type="primary"
          htmlType="submit"
          disabled={missing.length > 0}
          aria-describedby={missing.length > 0 ? hint : undefined}
          loading={simulate.isPending}
        >
          开始模拟
        </Button>
        {missing.length > 0 && <small id={hint}>请先填写{missing.join('和')}</small>}
      </form>
      {simulate.error && (
        <p className={cx(styles.problem, styles.stop)} role="alert">
          {simulate.error.message}
        </p>
      )}
      {simulate.data && <Result data={simulate.data} />}
    </Drawer>
  )
}
