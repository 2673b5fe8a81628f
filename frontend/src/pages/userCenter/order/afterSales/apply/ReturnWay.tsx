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

/** How the goods are sent back, and who pays. */
export function ReturnWay({ draft, set, address, error }: Props) {
  if (draft.Reason === 'short') {
    return (
      <section aria-label="退回方式">
        <h2>退回方式</h2>
        <p className={styles.lead}>
          少件无需寄回。审核通过后直接{draft.Kind === 'return' ? '退款' : '补发'}。
        </p>
      </section>
    )
  }
  const {
    Province = '',
    City = '',
    District = '',
    Street = '',
    Receiver = '',
    Mobile = '',
  } = address
  const isPaidBySupplier = draft.Reason !== 'unsuitable'
  return (
    <section aria-label="退回方式" className={styles.part}>
      <h2>退回方式</h2>
      <fieldset className={styles.ways}>
        <legend className={styles.hidden}>退回方式</legend>
        <Radio name="way" checked={draft.Way === 'pickup'} onChange={() => set({ Way: 'pickup' })}>
          <b>上门取件</b>
          <small>{`取件地址：${Province}${City}${District}${Street}（${Receiver} ${Mobile}）`}</small>
        </Radio>
        <Radio name="way" checked={draft.Way === 'send'} onChange={() => set({ Way: 'send' })}>
          <b>自行寄回</b>
          <small>审核通过后，请按我们提供的地址寄回，并在售后单中填写运单号</small>
        </Radio>
      </fieldset>
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
      {draft.Way === 'pickup' && (
        <Field label="期望取件时间" hint="选填，例如：工作日下午，放前台">
          <Input
            maxLength={100}
            value={draft.Pickup}
            onChange={(event) => set({ Pickup: event.target.value })}
          />
        </Field>
      )}
      {draft.Reason && (
        <p className={styles.lead}>
          {isPaidBySupplier
            ? '因质量问题、破损或发错货退回的，运费由商城承担。'
            : '因不合用退回的，寄回运费由贵公司承担；请保持包装完好，不影响再次销售。'}
        </p>
      )}
    </section>
  )
}
