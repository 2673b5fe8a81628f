import { useState } from 'react'
import type { Answer } from '@/api/call'
import { Button } from '@/ui/Button'
import { Field, Textarea } from '@/ui/Field'
import styles from './AddressDialog.module.css'
import { useParseAddress } from './addresses'

export type Parsed = Answer<'/api/Address/Parse', 'post'>

const NAMES: readonly (readonly [keyof Parsed, string])[] = [
  ['Receiver', '收货人'],
  ['Mobile', '手机号码'],
  ['Province', '省市'],
  ['Street', '详细地址'],
]

/** Fill the form from a pasted address, and name the missing parts. */
export function PasteBox({ onParsed }: { onParsed: (parsed: Parsed) => void }) {
  const [text, setText] = useState('')
  const parse = useParseAddress()
  const read = (pasted: string): void => {
    if (pasted.trim()) parse.mutate(pasted.trim(), { onSuccess: onParsed })
  }
  const missing = parse.data
    ? NAMES.filter(([key]) => !parse.data[key]).map(([, name]) => name)
    : []
  const message = parse.data
    ? missing.length
      ? `已识别，请补充：${missing.join('、')}`
      : '已识别并填入，请核对'
    : undefined
  return (
    <div className={styles.paste}>
      <Field
        label="粘贴整段地址"
        hint={message ?? '例如：上海市浦东新区张江路88号 张三 13800138000'}
        error={parse.error?.message}
      >
        <Textarea
          rows={2}
          maxLength={500}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event) => {
            // A paste into the empty box is parsed without a click.
            if (!text) read(event.clipboardData.getData('text'))
          }}
        />
      </Field>
      <Button
        size="s"
        look="tint"
        disabled={!text.trim()}
        loading={parse.isPending}
        onClick={() => read(text)}
      >
        智能识别
      </Button>
    </div>
  )
}
