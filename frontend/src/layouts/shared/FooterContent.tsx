import { Link } from 'react-router-dom'
import { useMayRequest } from '@/domain/account/purchasing'
import { boot, columnsFor } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import styles from './Footer.module.css'

const FooterLink = ({ name, url }: { name: string; url: string }) =>
  url.startsWith('/') ? (
    <Link to={url}>{name}</Link>
  ) : (
    <a href={url} target="_blank" rel="noreferrer">
      {name}
    </a>
  )

function Service() {
  const { ServiceHours, Phone } = boot.Footer
  return (
    <div className={styles.service}>
      <b>客户服务</b>
      {Phone && <span className={styles.phone}>{Phone}</span>}
      <span>服务时间：{ServiceHours}</span>
      {boot.Links.CustomerService && (
        <FooterLink name="在线客服" url={boot.Links.CustomerService} />
      )}
    </div>
  )
}

/** The legally required texts: the operator of the mall and its licences. */
function Legal() {
  const { Licences, Copyright, HasBusinessLicence } = boot.Footer
  return (
    <div className={styles.legal}>
      <span>{Copyright || `© ${boot.Brand.Name}`}</span>
      {Licences.map((text) => (
        <span key={text}>{text}</span>
      ))}
      {HasBusinessLicence && <Link to={paths.businessLicence()}>营业执照</Link>}
    </div>
  )
}

/**
 * A visitor sees the full footer with the QR codes. A signed-in user sees links to his own pages,
 * without the cart if he may only browse.
 */
export default function FooterContent() {
  const person = useSession()
  const hasCart = useMayRequest()
  return (
    <footer data-chrome className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.columns}>
          {columnsFor(boot.Footer.Columns, person !== null).map(({ Title, Links }) => (
            <div key={Title} role="group" aria-label={Title}>
              <b>{Title}</b>
              {Links.filter(({ Url }) => hasCart || Url !== paths.cart()).map(({ Name, Url }) => (
                <FooterLink key={Name} name={Name} url={Url} />
              ))}
            </div>
          ))}
          <Service />
          {!person && boot.QrCodes.length > 0 && (
            <div className={styles.codes}>
              {boot.QrCodes.map(({ Name, ImageUrl }) => (
                <figure key={Name}>
                  <img src={ImageUrl} alt={`${Name}二维码`} width={84} height={84} loading="lazy" />
                  <figcaption>{Name}</figcaption>
                </figure>
              ))}
            </div>
          )}
        </div>
        <Legal />
      </div>
    </footer>
  )
}
