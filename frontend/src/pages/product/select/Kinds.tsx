import { useState } from 'react'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import { Input } from '@/ui/Field'
import { Icon } from '@/ui/Icon'
import { createKind, type KindForm } from './form'
import styles from './select.module.css'

interface Props {
  kinds: readonly KindForm[]
  heads: number
  onChange: (kinds: KindForm[]) => void
  error?: string | undefined
}

/** The quantity that the server computes for this kind. */
const getNeeded = ({ perHead, fixed }: KindForm, heads: number): number =>
  Math.max(1, Math.ceil(Number(perHead || 0) * heads - 1e-9) + Number(fixed || 0))

const figure = (text: string): string => text.replaceAll(/[^\d.]/g, '').slice(0, 6)

function Row({
  kind,
  heads,
  onChange,
  onRemove,
}: {
  kind: KindForm
  heads: number
  onChange: (change: Partial<KindForm>) => void
  onRemove: () => void
}) {
  const isByHead = Number(kind.perHead) > 0 || Number(kind.fixed) === 0
  return (
    <li className={styles.kind}>
      <Checkbox
        checked={kind.on}
        disabled={!kind.available}
        onChange={(isOn) => onChange({ on: isOn })}
      >
        <span className={styles.kindName}>{kind.name}</span>
      </Checkbox>
      {!kind.available && <small>目录中没有</small>}
      {kind.on && (
        <span className={styles.each}>
          {isByHead ? '每人' : '共'}
          <input
            aria-label={`${kind.name}${isByHead ? '每人数量' : '数量'}`}
            inputMode="decimal"
            value={isByHead ? kind.perHead : kind.fixed}
            onChange={(event) =>
              onChange(
                isByHead
                  ? { perHead: figure(event.target.value) }
                  : { fixed: figure(event.target.value).replaceAll('.', '') },
              )
            }
          />
          <small>
            {isByHead && heads > 0
              ? `共 ${getNeeded(kind, heads).toLocaleString('en-US')} ${kind.unit}`
              : kind.unit}
          </small>
        </span>
      )}
      {kind.own && (
        <button
          type="button"
          className={styles.drop}
          aria-label={`去掉${kind.name}`}
          onClick={onRemove}
        >
          <Icon name="close" size={14} />
        </button>
      )}
    </li>
  )
}

/**
 * The kinds as checkboxes with quantities, and a line for kinds that the scenario does not have.
 */
export function Kinds({ kinds, heads, onChange, error }: Props) {
  const [typed, setTyped] = useState('')
  const add = (): void => {
    const names = typed
      .split(/[\s,，、;；]+/)
      .map((name) => name.slice(0, 40))
      .filter(Boolean)
    const fresh = [...new Set(names)].filter((name) => !kinds.some((kind) => kind.name === name))
    onChange([
      ...kinds.map((kind) =>
        names.includes(kind.name) && kind.available ? { ...kind, on: true } : kind,
      ),
      ...fresh.map(createKind),
    ])
    setTyped('')
  }
  return (
    <fieldset className={styles.kinds}>
      <legend>要配的商品</legend>
      {kinds.length > 0 && (
        <ul>
          {kinds.map((kind) => (
            <Row
              key={kind.name}
              kind={kind}
              heads={heads}
              onChange={(change) =>
                onChange(kinds.map((one) => (one.name === kind.name ? { ...one, ...change } : one)))
              }
              onRemove={() => onChange(kinds.filter((one) => one.name !== kind.name))}
            />
          ))}
        </ul>
      )}
      <div className={styles.more}>
        <Input
          aria-label="添加商品"
          placeholder="如 计算器 胶带"
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !typed.trim()) return
            event.preventDefault()
            add()
          }}
        />
        <Button icon="plus" disabled={!typed.trim()} onClick={add}>
          添加
        </Button>
      </div>
      {error && (
        <p className={styles.refused} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
