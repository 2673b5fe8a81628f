import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  preferences,
  useSavePreferences,
  type Choices,
  type Preferences,
} from '@/domain/notices/notices'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './notice.module.css'

type Row = Preferences['Items'][number]
type Choice = Choices[number]

const MAIL = [
  { value: 'instant', label: '立即发送' },
  { value: 'daily', label: '每日汇总' },
  { value: 'off', label: '不发邮件' },
] as const

const choiceOf = ({ Kind, Page, Mail, WeChatWork }: Row): Choice => ({
  Kind,
  Page,
  Mail,
  WeChatWork,
})

interface KindRowProps {
  row: Row
  value: Choice
  shown: Preferences
  onChange: (changed: Partial<Choice>) => void
}

function KindRow({ row, value, shown, onChange }: KindRowProps) {
  return (
    <tr>
      <th scope="row">{row.KindText}</th>
      <td data-way="页面">
        <Checkbox
          label={`${row.KindText}：页面`}
          checked={value.Page}
          disabled={row.PageFixed}
          onChange={(Page) => onChange({ Page })}
        />
        {row.PageFixed && <small>始终显示</small>}
      </td>
      <td data-way="邮件">
        {row.MailFixed ? (
          <small>始终发送，保障账号安全</small>
        ) : (
          <select
            aria-label={`${row.KindText}：邮件`}
            value={value.Mail}
            disabled={!shown.Email}
            onChange={({ target }) => onChange({ Mail: target.value as Choice['Mail'] })}
          >
            {MAIL.map((way) => (
              <option key={way.value} value={way.value}>
                {way.label}
              </option>
            ))}
          </select>
        )}
      </td>
      {shown.WeChatWorkOffered && (
        <td data-way="企业微信">
          <Checkbox
            label={`${row.KindText}：企业微信`}
            checked={value.WeChatWork}
            disabled={!shown.WeChatWorkBound}
            onChange={(WeChatWork) => onChange({ WeChatWork })}
          />
        </td>
      )}
    </tr>
  )
}

function Form({ shown }: { shown: Preferences }) {
  const [changed, setChanged] = useState<Record<string, Choice>>({})
  const save = useSavePreferences()
  const rows = Object.values(changed)
  const change = (row: Row, part: Partial<Choice>): void =>
    setChanged((now) => ({ ...now, [row.Kind]: { ...(now[row.Kind] ?? choiceOf(row)), ...part } }))
  const sections = [...new Set(shown.Items.map(({ SectionText }) => SectionText))]
  const columns = shown.WeChatWorkOffered ? 4 : 3
  return (
    <form
      aria-label="通知设置"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(rows, {
          onSuccess: () => {
            setChanged({})
            toast.success('通知设置已保存')
          },
        })
      }}
    >
      <p className={styles.lead}>
        邮件
        {shown.Email
          ? `发送至 ${shown.Email}，每日汇总在 ${shown.DigestHour}:00 发送。`
          : '未登记，暂不发送。'}
        <Link to={paths.account()}>{shown.Email ? '更换邮箱' : '登记邮箱'}</Link>
        {shown.WeChatWorkOffered &&
          !shown.WeChatWorkBound &&
          ' 企业微信尚未绑定，首次用企业微信登录时即可绑定。'}
      </p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">消息类型</th>
            <th scope="col">页面</th>
            <th scope="col">邮件</th>
            {shown.WeChatWorkOffered && <th scope="col">企业微信</th>}
          </tr>
        </thead>
        <tbody>
          {sections.map((section) => (
            <Fragment key={section}>
              <tr className={styles.section}>
                <th scope="rowgroup" colSpan={columns}>
                  {section}
                </th>
              </tr>
              {shown.Items.filter(({ SectionText }) => SectionText === section).map((row) => (
                <KindRow
                  key={row.Kind}
                  row={row}
                  shown={shown}
                  value={changed[row.Kind] ?? choiceOf(row)}
                  onChange={(part) => change(row, part)}
                />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
      <footer className={styles.save}>
        <Button disabled={rows.length === 0} onClick={() => setChanged({})}>
          撤销修改
        </Button>
        <Button look="primary" type="submit" disabled={rows.length === 0} loading={save.isPending}>
          保存设置
        </Button>
      </footer>
    </form>
  )
}

/** The channels of each notice kind. */
export function Settings() {
  const { data, error, refetch } = useQuery(preferences())
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return data ? <Form shown={data} /> : <Loading height={640} />
}
