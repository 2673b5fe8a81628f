import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { QuickListRow } from '@/api/schema'
import { paths } from '@/lib/paths'
import { formatDate } from '@/lib/time'
import { Button } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { onIntent } from '@/ui/intent'
import { Tag } from '@/ui/Small'
import { ErrorState, Loading } from '@/ui/States'
import { quickLists } from './api'
import styles from './quick.module.css'

const dialogs = onIntent(() => import(/* webpackChunkName: "quick-order-more" */ './ListDialogs'))

function Group({
  title,
  rows,
  onUse,
  onAct,
}: {
  title: string
  rows: readonly QuickListRow[]
  onUse: (id: string) => void
  onAct: (act: { kind: 'change' | 'delete'; row: QuickListRow }) => void
}) {
  if (!rows.length) return null
  return (
    <div role="group" aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {rows.map((row) => (
          <li key={row.Id}>
            <div>
              <b title={row.Name}>{row.Name}</b>
              {row.Mine && row.Shared && <Tag tone="brand">已共享</Tag>}
              <small>
                {row.LineCount} 种 · {row.Mine ? formatDate(row.UpdatedAt) : row.Owner}
              </small>
            </div>
            <Button
              size="s"
              look="tint"
              aria-label={`用清单“${row.Name}”下单`}
              onClick={() => onUse(row.Id)}
            >
              下单
            </Button>
            {row.Mine && (
              <span className={styles.listActs}>
                <button
                  type="button"
                  aria-label={`修改清单“${row.Name}”`}
                  onPointerEnter={dialogs.ready}
                  onClick={() => onAct({ kind: 'change', row })}
                >
                  <Icon name="edit" size={16} />
                </button>
                <button
                  type="button"
                  aria-label={`删除清单“${row.Name}”`}
                  onPointerEnter={dialogs.ready}
                  onClick={() => onAct({ kind: 'delete', row })}
                >
                  <Icon name="trash" size={16} />
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The user's own lists and the lists that colleagues share. */
export default function Lists({ uid, onUse }: { uid: string; onUse: (id: string) => void }) {
  const { data, error, refetch } = useQuery(quickLists(uid))
  const [act, setAct] = useState<{ kind: 'change' | 'delete'; row: QuickListRow } | null>(null)
  const own = data?.Items.filter(({ Mine }) => Mine) ?? []
  const shared = data?.Items.filter(({ Mine }) => !Mine) ?? []
  return (
    <>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={120} />}
      {data && !data.Items.length && (
        <p className={styles.quiet}>
          还没有清单。识别商品后点“保存为清单”，下次一键下单，也可以共享给部门同事。
        </p>
      )}
      <Group title="我的清单" rows={own} onUse={onUse} onAct={setAct} />
      <Group title="同事共享" rows={shared} onUse={onUse} onAct={setAct} />
      {data && data.Items.length > 0 && (
        <Link className="touch" to={paths.quickLists()}>
          管理与共享清单
        </Link>
      )}
      {act && <dialogs.Part act={act} onClose={() => setAct(null)} />}
    </>
  )
}
