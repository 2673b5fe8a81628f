import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { CheckoutForm, Preview } from '@/domain/cart/checkout'
import { dimensionChoices, type Kind, type KindChoices } from '@/domain/dimensions/dimensions'
import { DimensionSelect } from '@/domain/dimensions/DimensionSelect'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { Field, Input } from '@/ui/Field'
import { getAllocation, allocationText, withAllocation } from './allocations'
import { Problem } from './Choice'
import { getProblem, type Set } from './form'
import styles from './allocation.module.css'

const AllocationDialog = lazy(
  () => import(/* webpackChunkName: "allocationDialog" */ './AllocationDialog'),
)

type Line = Preview['Lines'][number]

interface KindFieldProps {
  choices: KindChoices
  form: CheckoutForm
  total: string
  error: string | undefined
  set: Set
}

/** The dimension of one kind for the whole order, or its split. */
function KindField({ choices, form, total, error, set }: KindFieldProps) {
  const [canSplit, setSplits] = useState(false)
  const { Kind, KindText, Default } = choices
  const chosen = getAllocation(form, Kind, '')
  const isSplit = chosen !== undefined && chosen.Parts.length > 1
  const choose = (id: string): void =>
    set({ Allocations: withAllocation(form, Kind, '', id ? [{ DimensionId: id }] : []) })
  return (
    <Field
      label={KindText}
      error={error}
      hint={isSplit ? allocationText(chosen) : '选填，随订单进入报表和对账单'}
    >
      <span className={styles.kind}>
        {isSplit ? (
          <Button size="s" onClick={() => choose('')}>
            取消分摊
          </Button>
        ) : (
          <DimensionSelect
            choices={choices}
            label={KindText}
            value={chosen?.Parts[0]?.DimensionId ?? ''}
            placeholder={
              Default ? `${Default.Code} ${Default.Name}（部门默认）` : `不指定${KindText}`
            }
            onChange={choose}
          />
        )}
        <Button look="text" size="s" onClick={() => setSplits(true)}>
          {isSplit ? '修改分摊' : `分摊${KindText}`}
        </Button>
      </span>
      {canSplit && (
        <Suspense fallback={null}>
          <AllocationDialog
            title={`整单分摊${KindText}`}
            kinds={[choices]}
            amount={total}
            form={form}
            item=""
            onClose={() => setSplits(false)}
            onSave={(kind, parts) => set({ Allocations: withAllocation(form, kind, '', parts) })}
          />
        </Suspense>
      )}
    </Field>
  )
}

/**
 * The accounting fields of the order. A group that keeps cost centres chooses from them; another
 * one types them.
 */
export function Accounting({
  form,
  shown,
  error,
  set,
}: {
  form: CheckoutForm
  shown: Preview
  error: string | undefined
  set: Set
}) {
  const { data } = useQuery(dimensionChoices)
  const visibleFields = (data ?? []).filter(({ IsKept }) => IsKept)
  const problem = getProblem(shown, 'Allocations')
  return (
    <>
      {!visibleFields.some(({ Kind }) => Kind === 'cost_center') && (
        <Field
          label="成本中心"
          error={error ?? getProblem(shown, 'CostCenter')}
          hint="选填，随订单进入报表"
        >
          <Input
            value={form.CostCenter ?? ''}
            maxLength={60}
            onChange={(event) => set({ CostCenter: event.target.value })}
          />
        </Field>
      )}
      {visibleFields.map((choices) => (
        <KindField
          key={choices.Kind}
          choices={choices}
          form={form}
          total={shown.Amounts.Goods}
          error={choices.Kind === 'cost_center' ? getProblem(shown, 'CostCenter') : undefined}
          set={set}
        />
      ))}
      {problem && <Problem field="Allocations" text={problem} />}
    </>
  )
}

/** The own split of a line. */
export function LineAllocation({ line, form, set }: { line: Line; form: CheckoutForm; set: Set }) {
  const { data } = useQuery(dimensionChoices)
  const [open, setOpen] = useState(false)
  const visibleFields = (data ?? []).filter(({ IsKept }) => IsKept)
  if (!visibleFields.length || !line.Amount) return null
  const item = line.CartItemId
  const save = (kind: Kind, parts: Parameters<typeof withAllocation>[3]): void =>
    set({ Allocations: withAllocation(form, kind, item, parts) })
  return (
    <>
      {visibleFields.map((choices) => {
        const own = getAllocation(form, choices.Kind, item)
        return (
          own && (
            <small key={choices.Kind} className={styles.own}>
              {choices.KindText}：{allocationText(own)}
              <Button look="text" size="s" onClick={() => save(choices.Kind, [])}>
                取消
              </Button>
            </small>
          )
        )
      })}
      <span>
        <Button
          look="text"
          size="s"
          aria-label={`单独分摊${getProductTitle(line)}`}
          onClick={() => setOpen(true)}
        >
          单独分摊
        </Button>
      </span>
      {open && (
        <Suspense fallback={null}>
          <AllocationDialog
            title={`分摊 ${getProductTitle(line)}`}
            kinds={visibleFields}
            amount={line.Amount}
            form={form}
            item={item}
            onClose={() => setOpen(false)}
            onSave={save}
          />
        </Suspense>
      )}
    </>
  )
}
