import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call, type Answer } from '@/api/call'
import { orderAddresses } from '@/domain/account/addresses'
import type { CheckoutForm, Preview } from '@/domain/cart/checkout'
import { dimensionChoices } from '@/domain/dimensions/dimensions'
import { yuan } from '@/lib/money'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { Input, Select } from '@/ui/Field'
import { adjustedTo, quantityRefusal } from '@/ui/quantity'
import { QuantityNote } from '@/ui/Stepper'
import type { Set } from './form'
import styles from './split.module.css'

type Address = Answer<'/api/Address'>['Items'][number]
type Line = Preview['Lines'][number]
interface DeliveryDraft {
  key: number
  AddressId: string
  DepartmentId: string
  CostCenter: string
  pieces: Readonly<Record<string, number>>
}

const MAX_DELIVERIES = 50

const departments = {
  queryKey: ['orderDepartments'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call('get', '/api/Order/Departments', { signal, quiet: true }),
}

const given = (places: readonly DeliveryDraft[], id: string): number =>
  places.reduce((total, { pieces }) => total + (pieces[id] ?? 0), 0)

/** The request: addresses without goods are omitted. */
const getDeliveries = (places: readonly DeliveryDraft[]): NonNullable<CheckoutForm['Deliveries']> =>
  places.flatMap(({ AddressId, DepartmentId, CostCenter, pieces }) => {
    const Lines = Object.entries(pieces).flatMap(([CartItemId, Quantity]) =>
      Quantity > 0 ? [{ CartItemId, Quantity }] : [],
    )
    return Lines.length
      ? [{ AddressId, DepartmentId: DepartmentId || null, CostCenter: CostCenter.trim(), Lines }]
      : []
  })

/** A number field that may be empty while the user types. On blur, empty becomes 0. */
function Pieces({
  name,
  value,
  most,
  unit,
  onChange,
}: {
  name: string
  value: number
  most: number
  unit: string
  onChange: (count: number) => void
}) {
  const [draft, setDraft] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const id = useId()
  const legal = (text: string): number => Math.min(most, Math.max(0, Math.trunc(+text) || 0))
  const type = (text: string): void => {
    setDraft(text)
    const refusal = quantityRefusal(+text, { min: 0, step: 1, max: most }, { unit })
    setNote(refusal && adjustedTo(refusal, legal(text)))
    if (legal(text) > 0) onChange(legal(text))
  }
  const leave = (): void => {
    if (draft !== null && legal(draft) !== value) onChange(legal(draft))
    setDraft(null)
  }
  return (
    <>
      <input
        type="number"
        inputMode="numeric"
        min={0}
        max={most}
        step={1}
        aria-label={name}
        aria-describedby={note ? id : undefined}
        value={draft ?? value}
        onChange={(event) => type(event.target.value)}
        onBlur={leave}
      />
      {note && <QuantityNote id={id} text={note} />}
    </>
  )
}

interface DeliveryCardProps {
  uid: string
  nth: number
  place: DeliveryDraft
  lines: readonly Line[]
  addresses: readonly Address[]
  shown: NonNullable<Preview['Deliveries']>[number] | undefined
  onChange: (change: Partial<DeliveryDraft>) => void
  onRest: (id: string) => void
  onRemove?: (() => void) | undefined
  left: (id: string) => number
}

/** One address: recipient, department, and the quantity of each line. */
function DeliveryCard({
  uid,
  nth,
  place,
  lines,
  addresses,
  shown,
  onChange,
  onRest,
  onRemove,
  left,
}: DeliveryCardProps) {
  const { data } = useQuery(departments)
  const { data: own } = useQuery({
    ...orderAddresses(uid, place.DepartmentId),
    enabled: place.DepartmentId !== '',
  })
  const { data: kinds } = useQuery(dimensionChoices)
  const centers = kinds?.find(({ Kind }) => Kind === 'cost_center')
  const name = `地址 ${nth}`
  const usable = (place.DepartmentId && own?.Items) || addresses
  // If only the previous department may use the address, a department change replaces it.
  const choose = (DepartmentId: string): void =>
    onChange(
      addresses.some(({ Id }) => Id === place.AddressId)
        ? { DepartmentId }
        : { DepartmentId, AddressId: addresses[0]?.Id ?? '' },
    )
  return (
    <fieldset className={styles.place}>
      <legend>{name}</legend>
      <div className={styles.where}>
        <Select
          aria-label={`${name}的收货地址`}
          value={place.AddressId}
          options={usable.map((row) => ({
            value: row.Id,
            label: `${row.Receiver} · ${row.FullText}`,
          }))}
          onChange={(AddressId) => onChange({ AddressId })}
        />
        {data && data.length > 1 && (
          <Select
            aria-label={`${name}的部门`}
            value={place.DepartmentId}
            options={[
              { value: '', label: '我的部门' },
              ...data.map((row) => ({ value: row.Id, label: row.Name })),
            ]}
            onChange={choose}
          />
        )}
        {centers?.IsKept ? (
          <Select
            aria-label={`${name}的成本中心`}
            value={place.CostCenter}
            placeholder="成本中心同整单"
            options={centers.Items.map(({ Code, Name }) => ({
              value: Code,
              label: `${Code} ${Name}`,
            }))}
            onChange={(CostCenter) => onChange({ CostCenter })}
          />
        ) : (
          <Input
            aria-label={`${name}的成本中心`}
            placeholder="成本中心（选填）"
            maxLength={60}
            value={place.CostCenter}
            onChange={(event) => onChange({ CostCenter: event.target.value })}
          />
        )}
        {onRemove && (
          <Button look="text" size="s" onClick={onRemove}>
            移除
          </Button>
        )}
      </div>
      <ul>
        {lines.map((line) => (
          <li key={line.CartItemId}>
            <span>{getProductTitle(line)}</span>
            <Pieces
              name={`${name}：${getProductTitle(line)}的数量`}
              value={place.pieces[line.CartItemId] ?? 0}
              most={line.Quantity}
              unit={line.Unit}
              onChange={(count) =>
                onChange({ pieces: { ...place.pieces, [line.CartItemId]: count } })
              }
            />
            <small>{line.Unit}</small>
            <div className={styles.rest}>
              {left(line.CartItemId) > 0 && (
                <Button look="text" size="s" onClick={() => onRest(line.CartItemId)}>
                  {`剩余 ${left(line.CartItemId)} 放这里`}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {shown && (
        <p className={styles.sum}>
          商品 {yuan(shown.Amounts.Goods)} · 运费 {yuan(shown.Amounts.Freight)} · 小计{' '}
          <b>{yuan(shown.Amounts.Total)}</b> · 约 {shown.PromisedDays} 天送达
        </p>
      )}
    </fieldset>
  )
}

/** 多地址收货: each address becomes a separate order. All are submitted together. */
export default function Split({
  uid,
  shown,
  addresses,
  set,
  onSingle,
}: {
  uid: string
  shown: Preview
  addresses: readonly Address[]
  set: Set
  onSingle: () => void
}) {
  // The split covers the lines that were selected when the page opened. A line without an address
  // stays in the cart.
  const [lines] = useState(shown.Lines)
  const first = addresses.find(({ Id }) => Id === shown.Address?.Id) ?? addresses[0]
  const [places, setPlaces] = useState<readonly DeliveryDraft[]>(() => [
    {
      key: 1,
      AddressId: first?.Id ?? '',
      DepartmentId: '',
      CostCenter: '',
      pieces: Object.fromEntries(lines.map(({ CartItemId, Quantity }) => [CartItemId, Quantity])),
    },
    {
      key: 2,
      AddressId: (addresses.find(({ Id }) => Id !== first?.Id) ?? first)?.Id ?? '',
      DepartmentId: '',
      CostCenter: '',
      pieces: {},
    },
  ])
  const total = (id: string): number =>
    lines.find(({ CartItemId }) => CartItemId === id)?.Quantity ?? 0
  const left = (id: string): number => total(id) - given(places, id)
  const change = (next: readonly DeliveryDraft[]): void => {
    const Deliveries = getDeliveries(next)
    // A checkout needs at least one piece, so the last piece cannot be removed.
    if (!Deliveries.length) return
    setPlaces(next)
    set({ Deliveries, AddressId: undefined })
  }
  const edit = (key: number, by: Partial<DeliveryDraft>): void =>
    change(places.map((place) => (place.key === key ? { ...place, ...by } : place)))
  const open = lines.filter(({ CartItemId }) => left(CartItemId) !== 0)
  const used = places.filter(({ pieces }) => Object.values(pieces).some((count) => count > 0))
  return (
    <div className={styles.split} id="choice-Deliveries" tabIndex={-1}>
      <p className={styles.quiet}>
        每个地址生成一张订单，一次提交、一起审批；金额、预算和审批按合计判断。
      </p>
      {places.map((place, index) => (
        <DeliveryCard
          key={place.key}
          uid={uid}
          nth={index + 1}
          place={place}
          lines={lines}
          addresses={addresses}
          shown={shown.Deliveries[used.indexOf(place)]}
          onChange={(by) => edit(place.key, by)}
          onRest={(id) =>
            edit(place.key, {
              pieces: { ...place.pieces, [id]: (place.pieces[id] ?? 0) + left(id) },
            })
          }
          onRemove={
            places.length > 2
              ? () => change(places.filter(({ key }) => key !== place.key))
              : undefined
          }
          left={left}
        />
      ))}
      <p className={styles.foot}>
        <Button
          size="s"
          icon="plus"
          disabled={places.length >= MAX_DELIVERIES}
          onClick={() =>
            setPlaces([
              ...places,
              {
                key: Math.max(...places.map(({ key }) => key)) + 1,
                AddressId: first?.Id ?? '',
                DepartmentId: '',
                CostCenter: '',
                pieces: {},
              },
            ])
          }
        >
          再加一个地址
        </Button>
        <Button look="text" size="s" onClick={onSingle}>
          改为单地址收货
        </Button>
        <span role="status">
          {open.length
            ? `还有 ${open.length} 种商品未分配完，各地址合计须等于购买数量`
            : '数量已全部分配'}
        </span>
      </p>
    </div>
  )
}
