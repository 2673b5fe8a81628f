import { Button } from '@/ui/Button'
import { Field, Input } from '@/ui/Field'
import styles from './apply.module.css'
import type { DraftLine } from './draft'

interface Props {
  line: DraftLine
  index: number
  errors: Readonly<Record<string, string>>
  onChange: (change: Partial<DraftLine>) => void
  onRemove: (() => void) | null
}

/** One requested product. */
export function Line({ line, index, errors, onChange, onRemove }: Props) {
  const field = (name: keyof DraftLine) => ({
    value: line[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      onChange({ [name]: event.target.value }),
  })
  const error = (name: keyof DraftLine): string | undefined => errors[`Lines.${index}.${name}`]
  return (
    <li className={styles.line}>
      <fieldset>
        <legend>商品 {index + 1}</legend>
        <Field label="意向商品" required error={error('Name')} className={styles.name}>
          <Input maxLength={120} placeholder="品名，如：定制商务笔记本" {...field('Name')} />
        </Field>
        <Field label="规格要求" error={error('Spec')} className={styles.spec}>
          <Input maxLength={300} placeholder="品牌、型号、颜色、尺寸、印字等" {...field('Spec')} />
        </Field>
        <Field label="数量" required error={error('Quantity')}>
          <Input inputMode="numeric" maxLength={6} {...field('Quantity')} />
        </Field>
        <Field label="单位" required error={error('Unit')}>
          <Input maxLength={10} {...field('Unit')} />
        </Field>
        <Field label="目标单价（元，含税）" error={error('TargetPrice')} className={styles.target}>
          <Input inputMode="decimal" maxLength={10} placeholder="选填" {...field('TargetPrice')} />
        </Field>
        {onRemove && (
          <Button
            look="text"
            size="s"
            icon="trash"
            className={styles.remove}
            aria-label={`删除商品 ${index + 1}`}
            onClick={onRemove}
          >
            删除
          </Button>
        )}
      </fieldset>
    </li>
  )
}
