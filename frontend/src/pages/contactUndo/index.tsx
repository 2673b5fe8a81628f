import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call, type Answer } from '@/api/call'
import { isApiError } from '@/api/errors'
import auth from '@/domain/account/auth.module.css'
import { Refusal } from '@/domain/account/Refusal'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { Button, ButtonLink } from '@/ui/Button'
import { Loading } from '@/ui/States'
import styles from './contactUndo.module.css'

const HERE = '/contactUndo'
type Change = Answer<'/api/Account/CheckContactUndo', 'post'>

const messageOf = (error: unknown): string =>
  isApiError(error) ? error.serverText || error.message : '网络连接故障，请重新打开邮件中的链接'

function Facts({ of }: { of: Change }) {
  return (
    <dl className={styles.facts}>
      <dt>账号</dt>
      <dd>{of.UserName}</dd>
      <dt>更换时间</dt>
      <dd>{formatTime(of.ChangedAt)}</dd>
      <dt>原{of.KindText}</dt>
      <dd>{of.OldValue || '未设置'}</dd>
      <dt>更换为</dt>
      <dd>{of.NewValue || '未设置'}</dd>
      {of.WeChatWorkMembers.length > 0 && (
        <>
          <dt>此后绑定的企业微信</dt>
          <dd>{of.WeChatWorkMembers.join('、')}（撤销时解除）</dd>
        </>
      )}
    </dl>
  )
}

/**
 * The page behind the link in a letter about a changed number or address. Opening it changes
 * nothing; a click undoes the change. It needs no sign-in.
 */
export function Component() {
  const navigate = useNavigate()
  const [Key] = useState(
    () => new URLSearchParams(window.location.hash.replace(/^#/, '')).get('key') ?? '',
  )
  const look = useQuery({
    queryKey: ['contactUndo', Key],
    enabled: !!Key,
    retry: false,
    staleTime: Infinity,
    queryFn: () =>
      call('post', '/api/Account/CheckContactUndo', { body: { Key }, quiet: true, loading: false }),
  })
  const undo = useMutation({
    mutationFn: () => call('post', '/api/Account/UndoContact', { body: { Key }, quiet: true }),
  })
  useEffect(() => {
    if (window.location.hash) void navigate(HERE, { replace: true })
  }, [navigate])
  const shown = look.data
  const done = undo.data
  if (done) {
    return (
      <>
        <h1 className={auth.title}>已撤销更换</h1>
        <div className={auth.form}>
          <p className={auth.lead} role="status">
            账号 {done.UserName} 的{done.KindText}已恢复为
            {done.OldValue ? ` ${done.OldValue}` : '未设置'}，该账号在所有设备上的登录已退出。
            {done.WeChatWorkMembers.length > 0 &&
              `更换之后绑定的企业微信 ${done.WeChatWorkMembers.join('、')} 已解除。`}
          </p>
          <p className={auth.note}>
            更换可能不是您本人操作，请立即重置登录密码，并联系贵司管理员。
          </p>
          <ButtonLink to={paths.resetPassword()} look="primary" size="l" wide>
            重置登录密码
          </ButtonLink>
          <ButtonLink to={paths.login()} size="l" wide>
            去登录
          </ButtonLink>
        </div>
      </>
    )
  }
  return (
    <>
      <h1 className={auth.title}>{shown ? `撤销更换${shown.KindText}` : '撤销更换联系方式'}</h1>
      <div className={auth.form}>
        {!Key ? (
          <Refusal>链接不完整，请从邮件中重新打开</Refusal>
        ) : look.error ? (
          <Refusal>{messageOf(look.error)}</Refusal>
        ) : !shown ? (
          <Loading height={160} />
        ) : (
          <>
            <p className={auth.lead}>
              如果不是您本人更换的，请撤销。撤销后恢复原{shown.KindText}
              ，该账号的全部登录随即结束，未使用的验证码作废。
            </p>
            <Facts of={shown} />
            <Refusal>{undo.error ? messageOf(undo.error) : null}</Refusal>
            <Button
              look="primary"
              size="l"
              wide
              loading={undo.isPending}
              onClick={() => undo.mutate()}
            >
              确认撤销
            </Button>
            <p className={auth.quiet}>
              链接在 {formatTime(shown.ExpiresAt)}{' '}
              前有效，只能使用一次。如果是您本人更换的，关闭本页即可。
            </p>
          </>
        )}
        <ButtonLink to="/" size="l" wide>
          返回商城
        </ButtonLink>
      </div>
    </>
  )
}
