import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { DocumentCard } from '@/desk/DocumentPage'
import { CartButton } from '@/domain/cart/CartButton'
import { useAdopt, type InquiryDetail, type InquiryLine } from '@/domain/inquiries/inquiries'
import { LeftOut, type LeftOutRow } from '@/domain/orders/LeftOut'
import { subtractInFen, sum, times, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { Checkbox } from '@/ui/Choice'
import { ProductImage } from '@/ui/ProductImage'
import { legalQuantity } from '@/ui/quantity'
import { Stepper } from '@/ui/Stepper'
import { toast } from '@/ui/toast'
import styles from './detail.module.css'

const ruleOf = ({ Product }: InquiryLine) => ({
  min: Product?.MinQuantity ?? 1,
  step: Product?.StepQuantity ?? 1,
})

/** Compare the quotation with the expected price. */
function Against({ line: { TargetPrice, QuotedPrice } }: { line: InquiryLine }) {
  if (!TargetPrice || !QuotedPrice) return null
  const by = subtractInFen(QuotedPrice, TargetPrice)
  if (by <= 0) return <small className={styles.good}>达到目标价</small>
  return <small>高于目标 {yuan((by / 100).toFixed(2))}</small>
}

function Offered({ line }: { line: InquiryLine }) {
  const { Product: product, Note: note } = line
  if (!product) return <span className={styles.quiet}>{note || '—'}</span>
  return (
    <span className={styles.what}>
      <span className={styles.picture}>
        <ProductImage src={product.ImageUrl} alt="" />
      </span>
      <span>
        <Link to={paths.product(product.ProductCode)}>{getProductTitle(product)}</Link>
        <small>
          编码 {product.ProductCode}
          {product.MinQuantity > 1 && ` · ${product.MinQuantity} ${product.Unit}起订`}
        </small>
        {note && <small>{note}</small>}
      </span>
    </span>
  )
}

interface Choice {
  quantity: number
  isTaken: boolean
}

function Row({
  line,
  choice,
  onChoose,
}: {
  line: InquiryLine
  choice: Choice | undefined
  onChoose: ((choice: Choice) => void) | null
}) {
  return (
    <tr>
      <td>
        {onChoose && choice ? (
          <Checkbox
            checked={choice.isTaken}
            onChange={(isTaken) => onChoose({ ...choice, isTaken })}
          >
            {line.Name}
          </Checkbox>
        ) : (
          <b>{line.Name}</b>
        )}
        {line.Spec && <small>{line.Spec}</small>}
        <small>
          询 {line.Quantity} {line.Unit}
        </small>
      </td>
      <td>
        <Offered line={line} />
      </td>
      <td>{line.TargetPrice ? yuan(line.TargetPrice) : '—'}</td>
      <td>
        {line.QuotedPrice ? <b className={styles.price}>{yuan(line.QuotedPrice)}</b> : '—'}
        <Against line={line} />
      </td>
      <td>{line.Product ? <s>{yuan(line.Product.MallPrice)}</s> : '—'}</td>
      <td>
        {onChoose && choice ? (
          <Stepper
            {...ruleOf(line)}
            unit={line.Unit}
            size="s"
            label={`${line.Name} 采购数量`}
            value={choice.quantity}
            onChange={(quantity) => onChoose({ quantity, isTaken: true })}
          />
        ) : (
          `${line.Quantity} ${line.Unit}`
        )}
      </td>
    </tr>
  )
}

/**
 * The requested and the quoted goods, with target and market price. Accepted lines go into the
 * cart.
 */
export function Quote({ data }: { data: InquiryDetail }) {
  const navigate = useNavigate()
  const adopt = useAdopt(data.InquiryNo)
  const [leftOut, setLeftOut] = useState<LeftOutRow[]>([])
  const [chosen, setChosen] = useState<Record<string, Choice>>(() =>
    Object.fromEntries(
      data.Lines.filter(({ Product }) => Product).map((line) => [
        line.Id,
        { quantity: legalQuantity(line.Quantity, ruleOf(line)), isTaken: true },
      ]),
    ),
  )
  const may = data.AllowedActions.includes('adopt')
  const selectedLines = data.Lines.filter(({ Id }) => chosen[Id]?.isTaken)
  const total = sum(
    selectedLines.map(({ Id, QuotedPrice }) =>
      times(QuotedPrice ?? '0', chosen[Id]?.quantity ?? 0),
    ),
  )
  const send = (): void =>
    adopt.mutate(
      selectedLines.map(({ Id }) => ({ Id: Number(Id), Quantity: chosen[Id]?.quantity ?? 1 })),
      {
        onSuccess: ({ LeftOut: rows }) => {
          if (rows.length) setLeftOut(rows)
          else {
            toast.success('已采纳报价，商品已加入购物车')
            void navigate(paths.cart())
          }
        },
      },
    )
  return (
    <DocumentCard title="商品与报价">
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              {[
                '意向商品',
                '报价商品',
                '目标单价',
                '报价（含税）',
                '市场价',
                may ? '采购数量' : '数量',
              ].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.Lines.map((line) => (
              <Row
                key={line.Id}
                line={line}
                choice={chosen[line.Id]}
                onChoose={
                  may && line.Product
                    ? (choice) => setChosen((now) => ({ ...now, [line.Id]: choice }))
                    : null
                }
              />
            ))}
          </tbody>
        </table>
      </div>
      {data.QuoteNote && <p className={styles.note}>客服说明：{data.QuoteNote}</p>}
      {may && (
        <div className={styles.adopt}>
          <span>
            已选 {selectedLines.length} 项，合计 <b className={styles.price}>{yuan(total)}</b>
          </span>
          <CartButton
            look="primary"
            size="l"
            disabled={!selectedLines.length}
            loading={adopt.isPending}
            onClick={send}
          >
            采纳并加入购物车
          </CartButton>
        </div>
      )}
      <LeftOut rows={leftOut} onClose={() => setLeftOut([])} />
    </DocumentCard>
  )
}
