import { Button } from 'antd'
import type { Stale } from '@/domain/approvals/rules'
import { Differences } from './Differences'
import styles from './rules.module.css'

/** Another user saved first. Shows his changes and asks which version to keep. */
export function StaleNotice({
  stale,
  onTake,
  onKeep,
}: {
  stale: Stale
  onTake: () => void
  onKeep: () => void
}) {
  return (
    <section className={styles.stale} role="alert" aria-label="规则已被修改">
      <h3>{stale.By?.Name ?? '其他管理员'}刚刚修改了这条规则，您的修改还没有保存</h3>
      <Differences rows={stale.Changes} />
      <span className={styles.inline}>
        <Button type="primary" onClick={onTake}>
          载入最新内容
        </Button>
        <Button onClick={onKeep}>保留我的内容，再次保存时覆盖</Button>
      </span>
    </section>
  )
}
