import { Fragment } from 'react'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import styles from './StepPicture.module.css'

export interface PictureStep {
  key: string | number
  who: string
  mode: 'any' | 'all'
  /** The number of approvers, if it is known. A single approver needs no 或签 or 会签. */
  count?: number
  note?: string
  isSkipped?: boolean
}

const MODES = { any: '或签', all: '会签' } as const
const MEANING = { any: '任一人同意即可', all: '须全部同意' } as const

/** The chain as a picture: from the order to its approval, one box a step. */
export function StepPicture({
  steps,
  label = '审批步骤',
}: {
  steps: readonly PictureStep[]
  label?: string
}) {
  return (
    <ol className={styles.picture} aria-label={label}>
      <li className={styles.end}>提交订单</li>
      {steps.map(({ key, who, mode, count, note, isSkipped }, index) => (
        <Fragment key={key}>
          <li className={styles.arrow} aria-hidden>
            <Icon name="right" size={16} />
          </li>
          <li className={cx(styles.step, isSkipped && styles.skipped)}>
            <i>{index + 1}</i>
            <span>
              <b>{who}</b>
              {(count === undefined || count > 1) && <em title={MEANING[mode]}>{MODES[mode]}</em>}
              {note && <small>{note}</small>}
            </span>
          </li>
        </Fragment>
      ))}
      <li className={styles.arrow} aria-hidden>
        <Icon name="right" size={16} />
      </li>
      <li className={cx(styles.end, styles.done)}>审批通过</li>
    </ol>
  )
}
