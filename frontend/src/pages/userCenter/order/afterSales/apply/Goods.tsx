import type { LineTerms } from '@/domain/returns/returns'
import { yuan } from '@/lib/money'
import { getProductTitle } from '@/lib/productTitle'
import { formatDate } from '@/lib/time'
import { Checkbox } from '@/ui/Choice'
import { cx } from '@/ui/cx'
import { ProductImage } from '@/ui/ProductImage'
import { Stepper } from '@/ui/Stepper'
import styles from './apply.module.css'
import { whyNot, type Draft } from './draft'

interface Props {
  lines: readonly LineTerms[]
  draft: Draft
  onChange: (lines: Draft['Lines']) => void
}

/** The deadline and the open requests of a line, or why it cannot be returned. */
function Terms({ line, draft }: { line: LineTerms; draft: Draft }) {
  const refusal = whyNot(line, draft)
  const terms = line.Kinds.find(({ Kind }) => Kind === draft.Kind)
  if (refusal || !terms) return <span className={styles.refusal}>{refusal}</span>
  const last = draft.Reason === 'quality' ? terms.QualityUntil : terms.Until
  return (
    <span className={styles.terms}>
      {last ? `可申请至 ${formatDate(last)}` : `质量问题可申请至 ${formatDate(terms.QualityUntil)}`}
      {!draft.Reason && terms.QualityUntil && terms.QualityUntil !== terms.Until && (
        <small>质量问题至 {formatDate(terms.QualityUntil)}</small>
      )}
      {!terms.TakesOpened && <small>已拆封的只受理质量问题、破损、发错</small>}
      {terms.Note && <small>{terms.Note}</small>}
    </span>
  )
}

function Row({ line, draft, onChange }: Props & { line: LineTerms }) {
  const { OrderLineId, Unit, Free } = line
  const title = getProductTitle(line)
  const draftLine = draft.Lines[OrderLineId]
  const isRefused = whyNot(line, draft) !== ''
  const set = (next: { Quantity: number; Opened: boolean } | null): void => {
    const { [OrderLineId]: _, ...others } = draft.Lines
    onChange(next ? { ...others, [OrderLineId]: next } : others)
  }
  return (
    <li className={cx(styles.line, isRefused && styles.off)}>
      <Checkbox
        checked={Boolean(draftLine) && !isRefused}
        disabled={isRefused}
        label={`选择 ${title}`}
        onChange={(isOn) => set(isOn ? { Quantity: 1, Opened: false } : null)}
      />
      <span className={styles.picture}>
        <ProductImage src={line.ImageUrl} alt="" />
      </span>
      <span className={styles.what}>
        {title}
        <small>
          {yuan(line.UnitPrice)} / {Unit} · 已收 {line.ReceivedQuantity}
          {line.ReturningQuantity > 0 && ` · 售后中 ${line.ReturningQuantity}`}
          {line.ReturnedQuantity > 0 && ` · 已退 ${line.ReturnedQuantity}`}
        </small>
      </span>
      <Terms line={line} draft={draft} />
      <span className={styles.many}>
        {draftLine && !isRefused ? (
          <>
            <Stepper
              value={draftLine.Quantity}
              min={1}
              max={Free}
              unit={Unit}
              size="s"
              label={`${title} 申请数量`}
              onChange={(Quantity) => set({ ...draftLine, Quantity })}
            />
            <small>
              最多 {Free} {Unit}
            </small>
          </>
        ) : (
          <small>{isRefused ? '' : `可申请 ${Free} ${Unit}`}</small>
        )}
        {draftLine && !isRefused && draft.Kind !== 'repair' && draft.Reason !== 'short' && (
          <Checkbox checked={draftLine.Opened} onChange={(Opened) => set({ ...draftLine, Opened })}>
            已拆封
          </Checkbox>
        )}
      </span>
    </li>
  )
}

/** The lines of the order with their options. */
export const Goods = (props: Props) => (
  <ul className={styles.goods} aria-label="选择商品">
    {props.lines.map((line) => (
      <Row key={line.OrderLineId} {...props} line={line} />
    ))}
  </ul>
)
