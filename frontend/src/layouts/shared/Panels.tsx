import { Link } from 'react-router-dom'
import { goToOldMall } from '@/domain/account/account'
import { boot, columnsFor } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import styles from './Panels.module.css'

export { Bell } from './Bell'

const Outside = ({ href, children, lang }: { href: string; children: string; lang?: string }) => (
  <a href={href} target="_blank" rel="noreferrer" lang={lang}>
    {children}
  </a>
)

/** 网站导航: the other sites of the provider in four groups. */
export function Sites() {
  const person = useSession()
  return (
    <div className={styles.sites}>
      {columnsFor(boot.Navigation, person !== null).map(({ Title, Links }) => (
        <div key={Title} role="group" aria-label={Title}>
          <b>{Title}</b>
          {Links.map(({ Name, Url }) =>
            Url.startsWith('/') ? (
              <Link key={Name} to={Url}>
                {Name}
              </Link>
            ) : (
              <Outside key={Name} href={Url}>
                {Name}
              </Outside>
            ),
          )}
        </div>
      ))}
    </div>
  )
}

/** 手机端: the three QR codes. The staff configure their targets. */
export const Codes = () => (
  <div className={styles.codes}>
    {boot.QrCodes.map(({ Name, ImageUrl }) => (
      <figure key={Name}>
        <img src={ImageUrl} alt={`${Name}二维码`} width={112} height={112} />
        <figcaption>{Name}</figcaption>
      </figure>
    ))}
  </div>
)

/**
 * On a narrow screen: the entries that do not fit into the top bar. `hasOrders`: with 我的订单.
 */
export function More({ onLeave, hasOrders }: { onLeave: () => void; hasOrders?: boolean }) {
  const person = useSession()
  const { GroupSite, EnglishSite, CustomerService } = boot.Links
  return (
    <div className={styles.more}>
      <nav aria-label="更多">
        {person && hasOrders && (
          <Link to={paths.orders()} onClick={onLeave}>
            我的订单
          </Link>
        )}
        {CustomerService && <Outside href={CustomerService}>在线客服</Outside>}
        {GroupSite && <Outside href={GroupSite}>集团官网</Outside>}
        {EnglishSite && (
          <Outside href={EnglishSite} lang="en">
            English
          </Outside>
        )}
        {person && boot.OldMallEnabled && (
          <button type="button" onClick={() => void goToOldMall()}>
            返回旧版
          </button>
        )}
      </nav>
      <Sites />
      {boot.QrCodes.length > 0 && <Codes />}
    </div>
  )
}
