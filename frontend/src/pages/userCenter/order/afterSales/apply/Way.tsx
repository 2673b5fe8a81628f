import { Radio } from '@/ui/Choice'
import { Field, Input } from '@/ui/Field'
import styles from './apply.module.css'
import type { Draft } from './draft'

interface Props {
  draft: Draft
  set: (change: Partial<Draft>) => void
  address: Readonly<Record<string, string>>
  error: string | undefined
}

/** How the goods come back, and who pays for it. */
export function Way({ draft, set, address, error }: Props) {
  if (draft.Reason === 'short') {
    return (
      <section aria-label="退回方式">
        <h2>退回方式</h2>
        <p className={styles.lead}>少件无需寄回。审核通过后直接{draft.Kind === 'return' ? '退款' : '补发'}。</p>
      </section>
    )
  }
  const { Province = '', City = '', District = '', Street = '', Receiver = '', Mobile = '' } = address
  const ours = draft.Reason !== 'unsuitable'
  return (
    <section aria-label="退回方式" className={styles.part}>
      <h2>退回方式</h2>
      <fieldset className={styles.ways}>
        <legend className={styles.hidden}>退回方式</legend>
        <Radio name="way" checked={draft.Way === 'pickup'} onChange={() => set({ Way: 'pickup' })}>
          <b>上门取件</b>
          <small>{`到 ${Province}${City}${District}${Street}（${Receiver} ${Mobile}）取`}</small>
        </Radio>
        <Radio name="way" checked={draft.Way === 'send'} onChange={() => set({ Way: 'send' })}>
          <b>自行寄回</b>
          <small>审核通过后按给出的地址寄回，并在这里填写运单号</small>
        </Radio>
      </fieldset>
      {error && <p role="alert" className={styles.error}>{error}</p>}
      {draft.Way === 'pickup' && (
        <Field label="期望取件时间" hint="可选，例如：工作日下午，放前台">
          <Input maxLength={100} value={draft.Pickup} onChange={(event) => set({ Pickup: event.target.value })} />
        </Field>
      )}
      {draft.Reason && <p className={styles.lead}>{ours ? '因商品质量、破损、发错退回的，运费由商城承担。' : '不合用退回的，退回运费由贵司承担，请保持包装完好、不影响再次销售。'}</p>}
    </section>
  )
}
