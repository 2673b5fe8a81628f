import type { ReturnDetail } from '@/domain/returns/returns'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import styles from './detail.module.css'

interface Step {
  label: string
  states: readonly string[]
}

const LAST: Readonly<Record<string, string>> = {
  return: '退款',
  exchange: '寄出新品',
  repair: '维修寄回',
}

/**
 * The steps of this return. Without goods to send back, the review is followed by the last step.
 */
function getSteps({ Kind, Way }: ReturnDetail): Step[] {
  const goods: Step[] = [
    { label: Way === 'pickup' ? '上门取件' : '寄回商品', states: ['pending_send'] },
    { label: '商城收货', states: ['pending_receipt'] },
    { label: '检测', states: ['inspecting'] },
  ]
  return [
    { label: '提交申请', states: [] },
    { label: '审核', states: ['pending_review'] },
    ...(Way === 'none' ? [] : goods),
    { label: LAST[Kind] ?? '处理', states: ['processing'] },
    { label: '确认', states: ['pending_confirm'] },
    { label: '完成', states: ['completed'] },
  ]
}

/** The steps as a picture: done, current, next. An early end is marked at its step. */
export function Steps({ data }: { data: ReturnDetail }) {
  const steps = getSteps(data)
  const isOver = data.Status === 'rejected' || data.Status === 'withdrawn'
  const reached = data.Timeline.findLast(({ From }) => From)?.From
  const at = steps.findIndex(({ states }) => states.includes(data.Status))
  const stopped = isOver
    ? Math.max(
        1,
        steps.findIndex(
          ({ label }) =>
            label ===
            { 待审核: '审核', 待寄回: steps[2]?.label, 待收货: '商城收货' }[reached ?? ''],
        ),
      )
    : -1
  const now = isOver ? stopped : at
  return (
    <ol className={styles.steps} aria-label="售后进度">
      {steps.map(({ label }, index) => {
        const isDone = index < now || data.Status === 'completed'
        const isCurrent = index === now && !isDone
        return (
          <li
            key={label}
            className={cx(
              isDone && styles.past,
              isCurrent && (isOver ? styles.stopped : styles.here),
            )}
            aria-current={isCurrent ? 'step' : undefined}
          >
            <i>{isDone ? <Icon name="check" size={14} /> : index + 1}</i>
            <span>{isCurrent && isOver ? data.StatusText : label}</span>
          </li>
        )
      })}
    </ol>
  )
}
