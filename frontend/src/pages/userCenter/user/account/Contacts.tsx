import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { Profile } from '@/domain/account/profile'
import { paths } from '@/lib/paths'
import styles from './account.module.css'
import { ContactDialog, type ContactKind } from './ContactDialog'

/** Mobile number, mail address and password. Each change needs an identity check. */
export function Contacts({ of }: { of: Profile }) {
  const [changing, setChanging] = useState<ContactKind | null>(null)
  const row = (kind: ContactKind, name: string, value: string, use: string) => (
    <li>
      <b>{name}</b>
      <span>{value || '未设置'}</span>
      <small>{use}</small>
      <Button
        type="link"
        aria-label={`${value ? '更换' : '设置'}${name}`}
        onClick={() => setChanging(kind)}
      >
        {value ? '更换' : '设置'}
      </Button>
    </li>
  )
  return (
    <section className={styles.part} aria-label="联系方式与安全">
      <h2>联系方式与安全</h2>
      <ul className={styles.contacts}>
        {row('mobile', '手机号码', of.Mobile, '用于收货联系')}
        {row('email', '邮箱', of.Email, '用于接收通知、验证码和找回密码')}
        <li>
          <b>登录密码</b>
          <span>已设置</span>
          <small>建议定期更换，且不与其他网站相同</small>
          <Link to={paths.password()}>修改密码</Link>
        </li>
      </ul>
      <ContactDialog of={of} kind={changing} onClose={() => setChanging(null)} />
    </section>
  )
}
