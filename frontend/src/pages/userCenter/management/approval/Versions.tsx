import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Popconfirm } from 'antd'
import { useState } from 'react'
import { isApiError } from '@/api/errors'
import { ruleVersions, useRestoreRule, type Rule, type RuleVersion } from '@/domain/approvals/rules'
import { formatTime } from '@/lib/time'
import { ErrorState, Loading } from '@/ui/States'
import { Tag } from '@/ui/Small'
import { toast } from '@/ui/toast'
import { Differences } from './Differences'
import styles from './rules.module.css'

interface Restoring {
  send: (Number: number, Anyway?: boolean) => void
  isBusy: boolean
}

function Version({
  row,
  isPresent,
  restoring,
}: {
  row: RuleVersion
  isPresent: boolean
  restoring: Restoring | null
}) {
  return (
    <li>
      <p>
        <b>第 {row.Number} 版</b>
        <Tag tone={isPresent ? 'brand' : 'plain'}>{isPresent ? '当前版本' : row.ActionText}</Tag>
        <small>
          {row.By?.Name ?? '系统'} {formatTime(row.At)}
          {isPresent && ` ${row.ActionText}`}
        </small>
        {restoring && row.CanRestore && (
          <Popconfirm
            title={`以第 ${row.Number} 版的内容保存为新版本，审批中的订单不受影响`}
            okText="恢复"
            onConfirm={() => restoring.send(row.Number)}
          >
            <Button type="link" size="small" disabled={restoring.isBusy}>
              恢复此版本
            </Button>
          </Popconfirm>
        )}
        {restoring && !isPresent && !row.CanRestore && (
          <small>该版本较早，只保存了文字记录，无法直接恢复，请对照内容修改规则</small>
        )}
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

interface Refused {
  number: number
  texts: readonly string[]
  /**
   * No approver of this version is available. The user may restore it anyway, because the editor
   * also lets him save it.
   */
  mayAnyway: boolean
}

function useRestoring(rule: Rule, onDone: () => void) {
  const restore = useRestoreRule(rule.Id)
  const [refused, setRefused] = useState<Refused | null>(null)
  const send = (Number: number, Anyway = false): void => {
    setRefused(null)
    restore.mutate(
      { Number, Anyway, UpdatedAt: rule.UpdatedAt },
      {
        onSuccess: () => {
          toast.success(`已恢复第 ${Number} 版的内容`)
          onDone()
        },
        onError: (error) => {
          const fields = isApiError(error) ? error.fields : {}
          const texts = Object.values(fields).flat()
          setRefused({
            number: Number,
            texts: texts.length ? texts : [error.message],
            mayAnyway: Boolean(fields['Problems']),
          })
        },
      },
    )
  }
  return { send, refused, isBusy: restore.isPending }
}

/** All versions of a rule, latest first, each with its changes. An old version can be restored. */
export default function Versions({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const { data, error, refetch } = useQuery(ruleVersions(rule.Id))
  const restoring = useRestoring(rule, onClose)
  const { refused } = restoring
  return (
    <Drawer title={`版本记录 · ${rule.Name}`} open size={640} onClose={onClose}>
      {rule.InFlight > 0 && (
        <p className={styles.hint}>
          {rule.InFlight} 张审批中的订单仍按提交时的版本审批，不受之后修改的影响
        </p>
      )}
      {refused && (
        <div className={styles.stale} role="alert">
          <h3>第 {refused.number} 版没有恢复</h3>
          {refused.texts.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {refused.mayAnyway && (
            <Button
              size="small"
              loading={restoring.isBusy}
              onClick={() => restoring.send(refused.number, true)}
            >
              仍要恢复
            </Button>
          )}
        </div>
      )}
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={320} />}
      {data && (
        <ol className={styles.versions} aria-label="版本">
          {data.map((row, index) => (
            <Version
              key={row.Number}
              row={row}
              isPresent={index === 0}
              restoring={rule.CanEdit ? restoring : null}
            />
          ))}
        </ol>
      )}
    </Drawer>
  )
}
