import { useState, type FormEvent } from 'react'
import { boot } from '@/lib/boot'
import {
  clearCookies,
  cookies,
  cookieText,
  removeCookie,
  setCookie,
  type CookieOptions,
} from '@/lib/cookies'
import { Button } from '@/ui/Button'
import { Field, Input, Select } from '@/ui/Field'
import { NotFound } from '@/ui/NotFound'
import { Empty } from '@/ui/States'
import { Facts } from './Facts'
import styles from './test.module.css'

const SITES = ['Lax', 'Strict', 'None'].map((value) => ({ value, label: value }))

function Form({ onChange }: { onChange: () => void }) {
  const [name, setName] = useState('demo')
  const [value, setValue] = useState('1')
  const [days, setDays] = useState('30')
  const [site, setSite] = useState('Lax')
  const options: CookieOptions = {
    days: Number(days) || 0,
    sameSite: site as NonNullable<CookieOptions['sameSite']>,
  }
  const save = (event: FormEvent): void => {
    event.preventDefault()
    setCookie(name, value, options)
    onChange()
  }
  return (
    <form className={styles.card} onSubmit={save}>
      <h2>写入</h2>
      <div className={styles.row}>
        <Field label="名称">
          <Input value={name} maxLength={40} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label="值">
          <Input value={value} maxLength={200} onChange={(event) => setValue(event.target.value)} />
        </Field>
        <Field label="天数">
          <Input
            value={days}
            inputMode="numeric"
            maxLength={4}
            onChange={(event) => setDays(event.target.value)}
          />
        </Field>
        <Field label="SameSite">
          <Select value={site} options={SITES} onChange={setSite} />
        </Field>
        <Button look="primary" type="submit" disabled={!name}>
          写入
        </Button>
        <Button
          onClick={() => {
            removeCookie(name)
            onChange()
          }}
        >
          删除
        </Button>
      </div>
      <p className={styles.code} data-written>
        {cookieText(name, value, options, window.location.protocol)}
      </p>
    </form>
  )
}

/** /test/cookie: shows the cookies and writes one. It exists only if the settings enable it. */
export function Component() {
  const [, look] = useState(0)
  if (!boot.TestPages) return <NotFound />
  const again = (): void => look((now) => now + 1)
  const found = cookies()
  return (
    <div className={styles.page}>
      <h1>Cookie 测试</h1>
      <Form onChange={again} />
      <section className={styles.card}>
        <h2>当前页面可见的 Cookie</h2>
        {found.length ? <Facts rows={found} /> : <Empty title="没有 Cookie" />}
        <div className={styles.row}>
          <Button onClick={again}>重新读取</Button>
          <Button
            onClick={() => {
              clearCookies()
              again()
            }}
          >
            清除（保留会话与 MallVersion）
          </Button>
        </div>
      </section>
    </div>
  )
}
