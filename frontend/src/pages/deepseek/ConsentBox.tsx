import { useState } from 'react'
import { Link } from 'react-router-dom'
import { sum, times, yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import { Icon } from '@/ui/Icon'
import { Stepper } from '@/ui/Stepper'
import { useAccept, type Consent } from './api'
import styles from './answer.module.css'

/**
 * The lines that the assistant proposes for the cart. Nothing is added before the click. The user
 * can leave out lines and change quantities.
 */
export function ConsentBox({ consent, readOnly }: { consent: Consent; readOnly: boolean }) {
  const [quantities, setQuantities] = useState<Record<string, number>>(() =>
    Object.fromEntries(
      consent.Lines.map(({ Product, Quantity }) => [Product.ProductCode, Quantity]),
    ),
  )
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const accept = useAccept()
  const isDone = consent.Status === 'accepted' || accept.isSuccess
  const kept = consent.Lines.filter(({ Product }) => !left.has(Product.ProductCode))
  const quantityOf = (code: string): number => quantities[code] ?? 1
  const total = sum(
    kept.map(({ Product }) => times(Product.CustomerPrice, quantityOf(Product.ProductCode))),
  )
  const toggle = (code: string) =>
    setLeft(
      (known) =>
        new Set(known.has(code) ? [...known].filter((one) => one !== code) : [...known, code]),
    )
  return (
    <section className={styles.consent} aria-label="待确认的加购清单">
      <h3>{isDone ? '已加入购物车' : '确认后加入购物车'}</h3>
      <ul>
        {consent.Lines.map(({ Product }) => (
          <li key={Product.ProductCode}>
            <Checkbox
              checked={!left.has(Product.ProductCode)}
              disabled={isDone || readOnly}
              onChange={() => toggle(Product.ProductCode)}
            >
              <span className={styles.name}>{getProductTitle(Product)}</span>
            </Checkbox>
            <Stepper
              size="s"
              value={quantityOf(Product.ProductCode)}
              onChange={(quantity) =>
                setQuantities((known) => ({ ...known, [Product.ProductCode]: quantity }))
              }
              min={Product.MinQuantity}
              step={Product.StepQuantity}
              max={Math.max(Product.Stock, Product.MinQuantity)}
              unit={Product.Unit}
              limit="库存"
              disabled={isDone || readOnly}
              label={`${getProductTitle(Product)}的数量`}
            />
            <b>{yuan(times(Product.CustomerPrice, quantityOf(Product.ProductCode)))}</b>
          </li>
        ))}
      </ul>
      <p>
        <span>
          {kept.length} 种，合计 <strong>{yuan(total)}</strong>
        </span>
        {isDone ? (
          <Link to={paths.cart()} className={styles.went}>
            <Icon name="check" size={16} />
            去购物车查看
          </Link>
        ) : (
          <Button
            look="primary"
            icon="cart"
            disabled={!kept.length || readOnly}
            loading={accept.isPending}
            onClick={() =>
              accept.mutate({
                Id: consent.Id,
                Items: kept.map(({ Product }) => ({
                  ProductCode: Product.ProductCode,
                  Quantity: quantityOf(Product.ProductCode),
                })),
              })
            }
          >
            加入购物车
          </Button>
        )}
      </p>
    </section>
  )
}
