import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { FormDialog } from '@/desk/FormDialog'
import { PasswordProof } from '@/domain/account/PasswordProof'
import { AuthenticatorSetUp, RecoveryCodes, type SetUp } from '@/domain/account/SecondFactorField'
import { Tag } from '@/ui/Small'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './account.module.css'
import { secondFactor, useSecondFactor, type FactorChange } from './api'

const TITLES: Record<FactorChange, string> = {
  Confirm: '开启两步验证',
  RenewCodes: '更换恢复码',
  ForgetDevices: '取消所有浏览器的免验证',
  Remove: '关闭两步验证',
}
const DONE: Record<FactorChange, string> = {
  Confirm: '两步验证已开启',
  RenewCodes: '恢复码已更换，以前的全部失效',
  ForgetDevices: '下次登录都需要验证码',
  Remove: '两步验证已关闭',
}

/** 两步验证: enable it with an authenticator app, renew the recovery codes, disable it. */
export function SecondFactor({ uid }: { uid: string }) {
  const { data, error, refetch } = useQuery({ ...secondFactor(uid), enabled: uid !== '' })
  const { begin, change } = useSecondFactor(uid)
  const [isProving, setProving] = useState(false)
  const [setUp, setSetUp] = useState<SetUp | null>(null)
  const [open, setOpen] = useState<FactorChange | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const submit = async ({ SecondFactorCode }: { SecondFactorCode: string }): Promise<void> => {
    if (!open) return
    setCodes(await change.mutateAsync({ act: open, SecondFactorCode: SecondFactorCode.trim() }))
    toast.success(DONE[open])
  }
  return (
    <section className={styles.part} aria-label="两步验证">
      <header className={styles.head}>
        <h2>
          两步验证{' '}
          {data && (
            <Tag tone={data.Enabled ? 'good' : 'plain'}>{data.Enabled ? '已开启' : '未开启'}</Tag>
          )}
        </h2>
        {data && !data.Enabled && <Button onClick={() => setProving(true)}>开启</Button>}
      </header>
      <p className={styles.lead}>
        {data?.Enabled
          ? `登录时除密码外还需要手机验证器的验证码。未用过的恢复码 ${data.RecoveryCodesLeft} 个，免验证的浏览器 ${data.RememberedDevices} 个。`
          : '开启后，登录时除密码外还需要手机验证器的验证码，密码泄露也不会被他人登录。'}
        {data?.Required && '贵司要求两步验证，不能关闭。'}
      </p>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading height={72} />}
      {data?.Enabled && (
        <div className={styles.factorActs}>
          <Button onClick={() => setOpen('RenewCodes')}>更换恢复码</Button>
          {data.RememberedDevices > 0 && (
            <Button onClick={() => setOpen('ForgetDevices')}>取消免验证</Button>
          )}
          {!data.Required && (
            <Button danger onClick={() => setOpen('Remove')}>
              关闭
            </Button>
          )}
        </div>
      )}
      <FormDialog<{ Password: string }>
        title="开启两步验证"
        open={isProving}
        onClose={() => setProving(false)}
        onSubmit={async ({ Password }) => {
          setSetUp(await begin.mutateAsync(Password))
          setOpen('Confirm')
        }}
        okText="下一步"
        width={460}
      >
        <PasswordProof />
      </FormDialog>
      <FormDialog<{ SecondFactorCode: string }>
        title={open ? TITLES[open] : ''}
        open={open !== null}
        onClose={() => setOpen(null)}
        onSubmit={submit}
        okText="确认"
        width={460}
      >
        {open === 'Confirm' && setUp && <AuthenticatorSetUp of={setUp} />}
        <Form.Item
          name="SecondFactorCode"
          label="验证码"
          extra={open === 'Confirm' ? 'App 显示的 6 位数字' : '验证器显示的 6 位数字，或一个恢复码'}
          rules={[{ required: true, message: '请输入验证码' }]}
        >
          <Input maxLength={20} autoComplete="one-time-code" />
        </Form.Item>
      </FormDialog>
      <Modal
        title="恢复码"
        open={codes.length > 0}
        onCancel={() => setCodes([])}
        onOk={() => setCodes([])}
        okText="已保存"
        cancelButtonProps={{ hidden: true }}
        mask={{ closable: false }}
      >
        <RecoveryCodes codes={codes} />
      </Modal>
    </section>
  )
}
