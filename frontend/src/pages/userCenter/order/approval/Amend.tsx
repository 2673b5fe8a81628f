import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { isApiError } from '@/api/errors'
import { Figures, Reasons } from '@/domain/approvals/Amendments'
import {
  amendPreview,
  useAmend,
  type Approval,
  type DecidedOrder,
  type LineQuantity,
} from '@/domain/approvals/approvals'
import talk from '@/domain/approvals/talk.module.css'
import { times, yuan } from '@/lib/money'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Field, Input } from '@/ui/Field'
import { Stepper } from '@/ui/Stepper'
import styles from './amend.module.css'

type Line = DecidedOrder['Lines'][number]

function Row({
  line,
  quantity,
  onChange,
}: {
  line: Line
  quantity: number
  onChange: (quantity: number) => void
}) {
  const isRemoved = quantity === 0
  const minQuantity = Math.min(line.MinQuantity, line.Quantity)
  return (
    <li className={cx(isRemoved && styles.gone)}>
      <span>
        {getProductTitle(line)}
        <small>
          {yuan(line.UnitPrice)} · 原 {line.Quantity} {line.Unit}
          {line.MinQuantity > 1 && ` · 起订 ${line.MinQuantity}`}
          {line.StepQuantity > 1 && ` · 增量 ${line.StepQuantity}`}
        </small>
      </span>
      {isRemoved ? (
        <em>移除</em>
      ) : (
        <Stepper
          size="s"
          label={`${getProductTitle(line)} 数量`}
          value={quantity}
          min={minQuantity}
          step={line.StepQuantity}
          max={line.Quantity}
          unit={line.Unit}
          onChange={onChange}
        />
      )}
      <b>{yuan(times(line.UnitPrice, quantity))}</b>
      {quantity === line.Quantity ? (
        <Button
          look="text"
          size="s"
          aria-label={`移除 ${getProductTitle(line)}`}
          onClick={() => onChange(0)}
        >
          移除
        </Button>
      ) : (
        <Button
          look="text"
          size="s"
          aria-label={`恢复 ${getProductTitle(line)}`}
          onClick={() => onChange(line.Quantity)}
        >
          恢复
        </Button>
      )}
    </li>
  )
}

/**
 * The effect of the change, calculated by the server: figures and reasons before and after, and
 * steps that are no longer needed.
 */
function Outcome({ approval, lines }: { approval: Approval; lines: LineQuantity[] }) {
  const [asked, setAsked] = useState(lines)
  useEffect(() => {
    const later = setTimeout(() => setAsked(lines), 250)
    return () => clearTimeout(later)
  }, [lines])
  const { data, error } = useQuery(amendPreview(approval.Id, asked))
  if (error)
    return (
      <p className={styles.refused} role="alert">
        {error.message}
      </p>
    )
  if (!asked.length || !data)
    return <p className={styles.quiet}>减少数量或移除商品后，这里显示新的金额</p>
  return (
    <div aria-live="polite">
      <dl className={talk.changes}>
        <Figures rows={data.Figures} />
      </dl>
      <Reasons before={approval.Reasons} after={data.Reasons} />
      {data.Dropped.map(({ No, RuleName }) => (
        <p key={No} className={styles.quiet}>
          第 {No} 步（{RuleName}）将不再需要
        </p>
      ))}
      <p className={styles.quiet}>已完成的审批环节保持有效；调整后仍由您继续审批</p>
    </div>
  )
}

interface Props {
  approval: Approval
  order: DecidedOrder
  onClose: () => void
}

/**
 * 调整数量: lower or remove lines, see the effect, give the reason. The request contains the
 * version that is shown here.
 */
export default function Amend({ approval, order, onClose }: Props) {
  const [seen] = useState(approval.Version)
  const [quantities, setQuantities] = useState<Readonly<Record<string, number>>>({})
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const amend = useAmend()
  const element = useRef<HTMLFormElement>(null)
  const heading = useId()
  useEffect(() => element.current?.querySelector('input')?.focus(), [])
  const lines = order.Lines.flatMap(({ Id, Quantity }) =>
    quantities[Id] === undefined || quantities[Id] === Quantity
      ? []
      : [{ Id, Quantity: quantities[Id] }],
  )
  const send = (event: React.FormEvent): void => {
    event.preventDefault()
    setMissing(!reason.trim())
    if (!reason.trim() || !lines.length || amend.isPending) return
    amend.mutate(
      { ApprovalId: approval.Id, Lines: lines, Version: seen, Reason: reason.trim() },
      {
        onSuccess: onClose,
        onError: (error) =>
          isApiError(error) &&
          error.code !== 'quantity_illegal' &&
          error.code !== 'validation' &&
          onClose(),
      },
    )
  }
  return (
    <section aria-labelledby={heading}>
      <form
        ref={element}
        className={styles.amend}
        onSubmit={send}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      >
        <h3 id={heading}>调整数量</h3>
        <p className={styles.quiet}>只能减少或移除；差额退回预算与库存，申请人会看到调整内容</p>
        <ul className={styles.lines}>
          {order.Lines.map((line) => (
            <Row
              key={line.Id}
              line={line}
              quantity={quantities[line.Id] ?? line.Quantity}
              onChange={(quantity) => setQuantities({ ...quantities, [line.Id]: quantity })}
            />
          ))}
        </ul>
        <Outcome approval={approval} lines={lines} />
        <Field label="调整原因" required error={isMissing ? '请填写调整原因，申请人会看到' : null}>
          <Input
            value={reason}
            maxLength={300}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        <p className={styles.buttons}>
          <Button onClick={onClose}>取消</Button>
          <Button look="primary" type="submit" disabled={!lines.length} loading={amend.isPending}>
            确认调整
          </Button>
        </p>
      </form>
    </section>
  )
}
