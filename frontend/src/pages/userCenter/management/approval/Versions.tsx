import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { ruleVersions, type Rule, type RuleVersion } from '@/domain/approvals/rules'
import { formatTime } from '@/lib/time'
import { ErrorState, Loading } from '@/ui/States'
import { Tag } from '@/ui/Small'
import { Differences } from './Differences'
import styles from './rules.module.css'

function Version({ row, isPresent }: { row: RuleVersion; isPresent: boolean }) {
  return (
    <li>
      <p>
        <b>第 {row.Number} 版</b>
        <Tag tone={isPresent ? 'brand' : 'plain'}>{isPresent ? '当前版本' : row.ActionText}</Tag>
        <small>
          {row.By?.Name ?? '系统'} {formatTime(row.At)}
          {isPresent && ` ${row.ActionText}`}
        </small>
      </p>
      {row.Changes.length > 0 && <Differences rows={row.Changes} />}
      <details>
        <summary>查看该版本全文</summary>
        <dl className={styles.words}>
          {row.Words.map(({ field = '', label, text }) => (
            <div key={field}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  )
}

/** All versions of a rule, the latest first, each with what it changed. */
export default function Versions({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { data, error, refetch } = useQuery(ruleVersions(rule.Id))
  return (
    <Drawer title={`版本记录 · ${rule.Name}`} open size={640} onClose={onClose}>
      {rule.InFlight > 0 && <p className={styles.hint}>{rule.InFlight} 张审批中的订单仍按提交时的版本审批，不受之后修改的影响</p>}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={320} />}
      {data && (
        <ol className={styles.versions} aria-label="版本">
          {data.map((row, index) => (
            <Version key={row.Number} row={row} isPresent={index === 0} />
          ))}
        </ol>
      )}
    </Drawer>
  )
}
