import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { call, type Query } from '@/api/call'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { ButtonLink } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import { Skeleton } from '@/ui/States'
import styles from './MissingRight.module.css'

/**
 * Shown for a page without the right to it: the right, who can grant it, and other links. The
 * server refuses the calls too.
 */
export function MissingRight({ code }: { code: string }) {
  const name = useSession()?.User.nname
  const { data } = useQuery({
    queryKey: ['menuRight', code],
    queryFn: ({ signal }) =>
      call('get', '/api/Account/MenuRight', {
        query: { Code: code as Query<'/api/Account/MenuRight'>['Code'] },
        signal,
        quiet: true,
      }),
  })
  const admins = data?.GrantedBy.join('、')
  return (
    <section className={styles.page} aria-labelledby="missing-right">
      <span className={styles.badge}>
        <Icon name="lock" size={40} />
      </span>
      <h1 id="missing-right">您还没有{data ? `“${data.Name}”` : '此页面'}的权限</h1>
      <p>{name}，您好！打开这个页面需要管理员先为您的角色开通以下权限。</p>
      {data ? (
        <dl>
          <dt>需要的权限</dt>
          <dd>
            {data.Group} / {data.Name}
          </dd>
          <dt>谁可以开通</dt>
          <dd>
            {admins
              ? `贵司集团管理员：${admins}`
              : `贵司暂无集团管理员，请联系平台客服${boot.Footer.Phone ? `：${boot.Footer.Phone}` : ''}`}
          </dd>
          <dt>怎样开通</dt>
          <dd>请管理员在“角色管理”中为您的角色勾选该权限，开通后刷新本页即可。</dd>
        </dl>
      ) : (
        <Skeleton height={120} />
      )}
      <div className={styles.actions}>
        <ButtonLink to={paths.workbench()} look="primary">
          返回我的工作台
        </ButtonLink>
        <Link to={paths.home()}>去商城首页</Link>
      </div>
    </section>
  )
}
