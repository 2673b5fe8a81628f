import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import type { Query } from '@/api/call'
import { accountAccess, type AccountRow } from '@/domain/org/accounts'
import { Empty, ErrorState, Loading } from '@/ui/States'
import styles from './account.module.css'

const formatCount = (number: number): string => number.toLocaleString('en-US')

/**
 * Shows the permissions of an account with this department and these roles: menu entries, data
 * scope, number of people and orders.
 */
export function AccessPanel({
  query,
  title = '此人能看到',
}: {
  query: Query<'/api/Account/Sight'>
  title?: string
}) {
  const { data, error, refetch, isPlaceholderData } = useQuery(accountAccess(query))
  if (!data)
    return error ? (
      <ErrorState error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading height={200} />
    )
  return (
    <section className={styles.sight} aria-label={title} aria-busy={isPlaceholderData}>
      <h3>{title}</h3>
      <dl className={styles.figures}>
        <div>
          <dt>人员</dt>
          <dd>{formatCount(data.People)} 人</dd>
        </div>
        <div>
          <dt>订单</dt>
          <dd>{data.Orders === null ? '不可见' : `${formatCount(data.Orders)} 单`}</dd>
        </div>
      </dl>
      <p className={styles.quiet}>数据范围：{data.ScopeText}</p>
      {data.Groups.length === 0 ? (
        <Empty title="没有任何管理菜单">
          分配角色后，左侧菜单才会出现对应入口；购物和个人中心不受影响
        </Empty>
      ) : (
        <dl className={styles.groups}>
          {data.Groups.map(({ Name, Entries }) => (
            <div key={Name}>
              <dt>{Name}</dt>
              {Entries.map((entry) => (
                <dd key={entry.Code}>
                  <span>{entry.Name}</span>
                  <span>
                    {entry.ScopeText} · {formatCount(entry.People)} 人
                  </span>
                </dd>
              ))}
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

/** The permissions of an existing account. */
export const AccessDrawer = ({ row, onClose }: { row: AccountRow; onClose: () => void }) => (
  <Drawer title={`查看权限 · ${row.NickName}`} open onClose={onClose} size={480} destroyOnHidden>
    <AccessPanel query={{ AccountId: row.Id }} title={`${row.NickName}能看到`} />
  </Drawer>
)
