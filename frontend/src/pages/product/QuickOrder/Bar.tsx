import { useState } from 'react'
import { CartButton } from '@/domain/cart/CartButton'
import { yuan } from '@/lib/money'
import { Button } from '@/ui/Button'
import { onIntent } from '@/ui/intent'
import { exportLines, useFill } from './api'
import type { Line, Totals } from './model'
import styles from './quick.module.css'

const dialogs = onIntent(() => import(/* webpackChunkName: "quick-order-more" */ './ListDialogs'))
const CART_HOLDS = 200

export interface Filled {
  added: number
  /** The reasons, by ProductCode. */
  leftOut: ReadonlyMap<string, string>
}

/** Sticks to the bottom of the window: the total of the ready lines, and the actions on them. */
export function Bar({
  lines,
  totals,
  onFilled,
  onClear,
}: {
  lines: readonly Line[]
  totals: Totals
  onFilled: (filled: Filled) => void
  onClear: () => void
}) {
  const fill = useFill()
  const [isSaving, setSaving] = useState(false)
  const ready = lines.filter(({ Status }) => Status === 'ready')
  const rest = lines.filter(({ Status }) => Status === 'choose' || Status === 'problem')
  const add = (): void =>
    fill.mutate(ready, {
      onSuccess: ({ Added, LeftOut }) =>
        onFilled({
          added: Added,
          leftOut: new Map(LeftOut.map(({ ProductCode, Message }) => [ProductCode, Message])),
        }),
    })
  return (
    <div className={styles.bar} role="region" aria-label="汇总">
      <span className={styles.barActs}>
        <Button look="text" size="s" onClick={onClear}>
          清空
        </Button>
        {rest.length > 0 && (
          <Button look="text" size="s" onClick={() => void exportLines(rest)}>
            导出未完成的 {rest.length} 行
          </Button>
        )}
        <Button
          look="text"
          size="s"
          disabled={!ready.length}
          onPointerEnter={dialogs.ready}
          onClick={() => setSaving(true)}
        >
          保存为清单
        </Button>
      </span>
      <p className={styles.total} aria-live="polite">
        可下单 <b>{totals.counts.ready}</b> 种、{totals.pieces.toLocaleString('en-US')}{' '}
        件，合计（含税）
        <strong>{yuan(totals.amount)}</strong>
        {ready.length > CART_HOLDS && (
          <small>购物车最多放 {CART_HOLDS} 种商品，放不下的会留在这里</small>
        )}
      </p>
      <CartButton
        look="primary"
        size="l"
        icon="cart"
        loading={fill.isPending}
        disabled={!ready.length}
        onClick={add}
      >
        全部加入购物车
      </CartButton>
      {isSaving && (
        <dialogs.Part act={{ kind: 'save', lines: ready }} onClose={() => setSaving(false)} />
      )}
    </div>
  )
}
