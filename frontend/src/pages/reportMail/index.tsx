import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@/api/call'
import auth from '@/domain/account/auth.module.css'
import { Refusal } from '@/domain/account/Refusal'
import { Button, ButtonLink } from '@/ui/Button'
import { ErrorState, Loading } from '@/ui/States'

const HERE = '/reportMail'

/**
 * The page behind the 退订 link of a report's letter. Opening it changes nothing; a click
 * unsubscribes. It needs no sign-in.
 */
export function Component() {
  const navigate = useNavigate()
  const [Key] = useState(
    () => new URLSearchParams(window.location.hash.replace(/^#/, '')).get('key') ?? '',
  )
  const { data, error, refetch } = useQuery({
    queryKey: ['reportMail', Key],
    enabled: !!Key,
    queryFn: () =>
      call('post', '/api/ReportSubscription/Leaving', {
        body: { Key },
        quiet: true,
        loading: false,
      }),
  })
  const leave = useMutation({
    mutationFn: (IsOn: boolean) =>
      call('post', '/api/ReportSubscription/Leave', { body: { Key, IsOn } }),
    onSuccess: () => refetch(),
  })
  useEffect(() => {
    if (window.location.hash) void navigate(HERE, { replace: true })
  }, [navigate])
  const content = !Key ? (
    <Refusal>链接不完整，请从邮件中重新打开</Refusal>
  ) : error ? (
    <ErrorState error={error} onRetry={() => void refetch()} />
  ) : !data ? (
    <Loading height={160} />
  ) : (
    <>
      <p className={auth.lead}>
        {data.IsOn
          ? `报表“${data.Name}”由${data.Owner}订阅，定时发送给 ${data.To}。退订后将不再收到该报表的邮件。`
          : `${data.To} 已退订报表“${data.Name}”，不会再收到该报表的邮件。`}
      </p>
      <Button
        look={data.IsOn ? 'primary' : 'secondary'}
        size="l"
        wide
        loading={leave.isPending}
        onClick={() => leave.mutate(!data.IsOn)}
      >
        {data.IsOn ? '确认退订' : '重新接收'}
      </Button>
    </>
  )
  return (
    <>
      <h1 className={auth.title}>{data && !data.IsOn ? '已退订' : '退订报表邮件'}</h1>
      <div className={auth.form}>
        {content}
        <ButtonLink to="/" size="l" wide>
          返回商城
        </ButtonLink>
      </div>
    </>
  )
}
