import { useMutation } from '@tanstack/react-query'
import { useRef, type DragEvent, type FormEvent } from 'react'
import { fieldMessages, isApiError } from '@/api/errors'
import type { Selection } from '@/api/schema'
import { Button } from '@/ui/Button'
import { Field, Textarea } from '@/ui/Field'
import { getWishes } from './files'
import { useTabState } from './tabState'
import { getLines, type Line } from './lines'
import { Result } from './Result'
import styles from './select.module.css'
import { Solving } from './Solving'

const EXAMPLE = '黑色中性笔 20支\nA5 笔记本 12本\n保温杯 12个 60元以内\nA4 复印纸 70g 5箱\n抽纸 3箱'

const getErrorText = (error: unknown): string =>
  isApiError(error) ? (Object.values(fieldMessages(error))[0] ?? error.message) : ''
const linesIn = (text: string): number => text.split('\n').filter((line) => line.trim()).length

interface Answered {
  answer: Selection
  lines: Line[]
}

/**
 * A wish list, typed, pasted or uploaded as a sheet. Each line gets candidates, and the best one is
 * chosen.
 */
export default function WishList({ uid }: { uid: string }) {
  const [text, setText] = useTabState(uid, 'text', '')
  const [answered, setAnswered] = useTabState<Answered | null>(uid, 'wishes', null)
  const input = useRef<HTMLInputElement>(null)
  const select = useMutation({
    mutationFn: getWishes,
    onSuccess: (answer) => setAnswered({ answer, lines: getLines(answer) }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim()) select.mutate(text)
  }
  const take = (file: File | undefined): void => {
    if (file) select.mutate(file)
  }
  const drop = (event: DragEvent): void => {
    if (!event.dataTransfer.files.length) return
    event.preventDefault()
    take(event.dataTransfer.files[0])
  }
  const again = (line: string, words: string, word: string): void => {
    const changed = text
      .split('\n')
      .map((one) =>
        one.trim() === line
          ? one.replace(new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i'), word)
          : one,
      )
      .join('\n')
    setText(changed)
    select.mutate(changed)
  }
  const totals = answered?.answer.Totals
  return (
    <div className={styles.way}>
      <form
        className={styles.form}
        onSubmit={submit}
        aria-label="选品清单"
        onDrop={drop}
        onDragOver={(event) => event.preventDefault()}
      >
        <Field
          label="清单：每行一种，写上数量"
          hint="可写单位、规格、品牌、限价，如“保温杯 12个 60元以内”"
        >
          <Textarea
            className={styles.text}
            rows={14}
            maxLength={40_000}
            placeholder={EXAMPLE}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <p className={styles.under}>
          <small>{linesIn(text)} / 200 行</small>
          {text ? (
            <Button look="text" size="s" onClick={() => setText('')}>
              清空
            </Button>
          ) : (
            <Button look="text" size="s" onClick={() => setText(EXAMPLE)}>
              填入示例
            </Button>
          )}
        </p>
        {select.error !== null && (
          <p className={styles.refused} role="alert">
            {getErrorText(select.error)}
          </p>
        )}
        <Button
          type="submit"
          look="primary"
          size="l"
          wide
          icon="spark"
          loading={select.isPending}
          disabled={!text.trim()}
        >
          {select.isPending ? '正在选品…' : '开始选品'}
        </Button>
        <Button
          wide
          icon="paper"
          disabled={select.isPending}
          onClick={() => input.current?.click()}
        >
          上传 Excel 或 CSV 清单
        </Button>
        <small className={styles.fileHint}>
          .xlsx 或 .csv，5MB 以内；有“名称、数量、单位、限价”等表头时按表头读取，也可直接拖到这里
        </small>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="清单文件"
          accept=".xlsx,.csv"
          onChange={({ target }) => {
            take(target.files?.[0])
            target.value = ''
          }}
        />
      </form>
      <section className={styles.result} aria-label="选品方案" aria-busy={select.isPending}>
        {select.isPending && <Solving text="正在逐行查找您的目录、协议价、库存与采购历史…" />}
        {!select.isPending && !answered && (
          <div className={styles.intro}>
            <h2>每一行的候选商品会出现在这里</h2>
            <p>
              优先本企业买过的、有协议价的、库存充足的；拿不准的会列出候选请您选，没有找到的会说明，不会漏掉任何一行
            </p>
          </div>
        )}
        {!select.isPending && answered && totals && (
          <>
            <p className={styles.summary} role="status">
              共 {totals.Lines} 行，已选好 {answered.lines.length} 种
              {totals.Lines > totals.Chosen && <b>，{totals.Lines - totals.Chosen} 行请您确认</b>}
            </p>
            <Result
              key={answered.answer.Items.map((item) => item.Text).join('\n')}
              items={answered.answer.Items}
              lines={answered.lines}
              onLines={(lines) => setAnswered({ answer: answered.answer, lines })}
              onWord={(item, word) => again(item.Text, item.Words, word)}
            />
          </>
        )}
      </section>
    </div>
  )
}
