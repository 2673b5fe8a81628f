import { useState } from 'react'
import { boot } from '@/lib/boot'
import { cx } from '@/ui/cx'
import { Dialog } from '@/ui/Dialog'
import styles from './Frame.module.css'

function BusinessLicence({ text }: { text: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={styles.licence} onClick={() => setOpen(true)}>
        营业执照
      </button>
      <Dialog title="营业执照" open={open} onClose={() => setOpen(false)}>
        <p className={styles.licenceText}>{text}</p>
      </Dialog>
    </>
  )
}

export function Footer() {
  const { Columns, Licences, Copyright, BusinessLicence: licence, ServiceHours, Phone } = boot.Footer
  return (
    <footer data-chrome className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.columns}>
          {Columns.map(({ Title, Links }) => (
            <div key={Title}>
              <b>{Title}</b>
              {Links.map(({ Name, Url }) => (
                <a key={Name} href={Url}>
                  {Name}
                </a>
              ))}
            </div>
          ))}
          <div>
            <b>客户服务</b>
            {Phone && <span className={styles.hours}>{Phone}</span>}
            <span className={cx(!Phone && styles.hours)}>服务时间：{ServiceHours}</span>
            {boot.Links.CustomerService && (
              <a href={boot.Links.CustomerService} target="_blank" rel="noreferrer">
                在线客服
              </a>
            )}
          </div>
        </div>
        <div className={styles.legal}>
          <span>{Copyright || `© ${boot.Brand.Name}`}</span>
          {Licences.map((text) => (
            <span key={text}>{text}</span>
          ))}
          {licence && <BusinessLicence text={licence} />}
        </div>
      </div>
    </footer>
  )
}
