import { useRef, type ClipboardEvent, type KeyboardEvent } from 'react'
import { Button } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { Cell } from './Cell'
import styles from './quick.module.css'

export interface GridRow {
  code: string
  quantity: string
}

export const EMPTY: GridRow = { code: '', quantity: '' }
export const emptyRows = (): GridRow[] => Array.from({ length: 6 }, () => EMPTY)
/**
 * Above this number of pasted lines the grid is skipped and the lines are sent for recognition at
 * once.
 */
const MAX_TYPED_ROWS = 100

/**
 * Returns the rows as text, one per line. The code cell of a row without a quantity may contain
 * both values.
 */
export const getText = (rows: readonly GridRow[]): string =>
  rows
    .filter(({ code, quantity }) => code.trim() || quantity)
    .map(({ code, quantity }) => (quantity ? `${code.trim()}\t${quantity}` : code.trim()))
    .join('\n')

/**
 * Converts a pasted line to a row. Two columns are code and quantity. Any other line goes into the
 * code cell unchanged.
 */
function getRow(line: string): GridRow {
  const [code = '', quantity = '', ...rest] = line.split('\t').map((cell) => cell.trim())
  return !rest.some(Boolean) && /^\d{1,6}$/.test(quantity)
    ? { code, quantity }
    : { code: line.trim().slice(0, 200), quantity: '' }
}

interface GridProps {
  uid: string
  rows: readonly GridRow[]
  isBusy: boolean
  onRows: (rows: GridRow[]) => void
  /** Called with too many lines for the grid. They are recognised directly. */
  onMany: (text: string) => void
  onSubmit: () => void
}

/**
 * The input grid. Enter moves to the quantity, then to the next line. Several pasted lines fill the
 * rows below.
 */
export function Grid({ uid, rows, isBusy, onRows, onMany, onSubmit }: GridProps) {
  const codes = useRef<(HTMLInputElement | null)[]>([])
  const quantities = useRef<(HTMLInputElement | null)[]>([])
  const change = (index: number, given: Partial<GridRow>): void =>
    onRows(rows.map((row, at) => (at === index ? { ...row, ...given } : row)))
  const goOn = (index: number): void => {
    if (index + 1 === rows.length) onRows([...rows, EMPTY])
    // The next row may only exist after this event.
    requestAnimationFrame(() => codes.current[index + 1]?.focus())
  }
  const paste = (index: number, event: ClipboardEvent<HTMLInputElement>): void => {
    const text = event.clipboardData.getData('text').replace(/[\r\n]+$/, '')
    if (!/[\r\n\t]/.test(text)) return
    event.preventDefault()
    const lines = text.split(/\r\n|\r|\n/)
    if (lines.length > MAX_TYPED_ROWS) onMany(text)
    else
      onRows([
        ...rows.slice(0, index),
        ...lines.filter((line) => line.trim()).map(getRow),
        ...rows.slice(index + lines.length),
        EMPTY,
      ])
  }
  const keys = (index: number, event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      goOn(index)
    }
  }
  const isFilled = rows.some(({ code }) => code.trim())
  return (
    <form
      className={styles.grid}
      aria-label="逐行录入"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isFilled) onSubmit()
      }}
    >
      <div className={styles.gridHead} aria-hidden>
        <span />
        <span>编码或名称</span>
        <span>数量</span>
        <span />
      </div>
      <div className={styles.gridRows}>
        {rows.map((row, index) => (
          <div key={index} className={styles.gridRow}>
            <span aria-hidden>{index + 1}</span>
            <Cell
              uid={uid}
              label={`第 ${index + 1} 行编码或名称`}
              value={row.code}
              onChange={(code) => change(index, { code })}
              onEnter={() => quantities.current[index]?.focus()}
              onTake={(code) => {
                change(index, { code })
                quantities.current[index]?.focus()
              }}
              onPaste={(event) => paste(index, event)}
              inputRef={(element) => {
                codes.current[index] = element
              }}
            />
            <input
              ref={(element) => {
                quantities.current[index] = element
              }}
              aria-label={`第 ${index + 1} 行数量`}
              inputMode="numeric"
              autoComplete="off"
              placeholder="起订量"
              value={row.quantity}
              onChange={(event) =>
                change(index, {
                  quantity: event.target.value.replaceAll(/[^\d.]/g, '').slice(0, 9),
                })
              }
              onKeyDown={(event) => keys(index, event)}
            />
            <button
              type="button"
              aria-label={`清空第 ${index + 1} 行`}
              disabled={!row.code && !row.quantity}
              onClick={() => change(index, EMPTY)}
            >
              <Icon name="close" size={14} />
            </button>
          </div>
        ))}
      </div>
      <div className={styles.acts}>
        <Button
          icon="plus"
          size="s"
          look="text"
          onClick={() => onRows([...rows, ...emptyRows().slice(1)])}
        >
          增加 5 行
        </Button>
        <span className={styles.tip}>回车到下一格，可从 Excel 整段粘贴</span>
        <Button type="submit" look="primary" loading={isBusy} disabled={!isFilled}>
          识别商品
        </Button>
      </div>
    </form>
  )
}
