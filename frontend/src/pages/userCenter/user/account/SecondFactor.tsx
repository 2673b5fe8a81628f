import { useQuery } from '@tanstack/react-query'
import { Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { FormDialog } from '@/desk/FormDialog'
import { FactorProof, getProof } from '@/domain/account/FactorProof'
import type { OwnerProofFields } from '@/domain/account/OwnerProof'
import { PasswordProof } from '@/domain/account/PasswordProof'
import { secondFactor, type Factors } from '@/domain/account/secondFactor'
import { AuthenticatorSetUp, RecoveryCodes, type SetUp } from '@/domain/account/SecondFactorField'
import type { PasskeyOptions } from '@/domain/account/webauthn'
import { formatTime } from '@/lib/time'
import { Icon } from '@/ui/Icon'
import { Tag } from '@/ui/Small'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './account.module.css'
import { useSecondFactor, type OwnPasskey } from './api'

/** What the user wants to do. All acts need a proof first; 添加 goes on in a second dialog. */
type Act =
  | { kind: 'addAuthenticator' | 'addPasskey' | 'renewCodes' }
  | { kind: 'ForgetDevices' | 'Remove' | 'RemoveAuthenticator' }
  | { kind: 'removePasskey'; passkey: OwnPasskey }

const TITLES: Record<Act['kind'], string> = {
  addAuthenticator: '添加验证器',
  addPasskey: '添加通行密钥',
  renewCodes: '更换恢复码',
  ForgetDevices: '取消所有浏览器的免验证',
  Remove: '关闭两步验证',
  RemoveAuthenticator: '移除验证器',
  removePasskey: '移除通行密钥',
}
const DONE: Partial<Record<Act['kind'], string>> = {
  renewCodes: '恢复码已更换，以前的全部失效',
  ForgetDevices: '下次登录都需要两步验证',
  Remove: '两步验证已关闭',
  RemoveAuthenticator: '验证器已移除',
  removePasskey: '通行密钥已移除',
}

/** The factors of the user. The last one that the group requires cannot be removed. */
function FactorList({ of, onAct }: { of: Factors; onAct: (act: Act) => void }) {
  const isLast = of.Passkeys.length + Number(of.HasAuthenticator) === 1
  const mayRemove = !(of.Required && isLast)
  return (
    <ul className={styles.devices} aria-label="验证方式">
      {of.HasAuthenticator && (
        <li>
          <Icon name="phone" size={24} />
          <div>
            <b>验证器 App</b>
            <p>手机显示的 6 位数字</p>
          </div>
          {mayRemove && (
            <Button
              type="link"
              danger
              aria-label="移除验证器"
              onClick={() => onAct({ kind: 'RemoveAuthenticator' })}
            >
              移除
            </Button>
          )}
        </li>
      )}
      {of.Passkeys.map((passkey) => (
        <li key={passkey.Id}>
          <Icon name="lock" size={24} />
          <div>
            <b>{passkey.Name}</b> <Tag tone="plain">通行密钥</Tag>
            <p>
              {formatTime(passkey.CreatedAt)} 添加 ·{' '}
              {passkey.UsedAt ? `最近使用 ${formatTime(passkey.UsedAt)}` : '尚未使用'}
            </p>
          </div>
          {mayRemove && (
            <Button
              type="link"
              danger
              aria-label={`移除通行密钥 ${passkey.Name}`}
              onClick={() => onAct({ kind: 'removePasskey', passkey })}
            >
              移除
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

const describe = (of: Factors): string =>
  of.Enabled
    ? `登录时除密码外还需要验证码或通行密钥。未用过的恢复码 ${of.RecoveryCodesLeft} 个，免验证的浏览器 ${of.RememberedDevices} 个。`
    : '开启后，登录时除密码外还需要手机验证器的验证码，或电脑、手机中的通行密钥，密码泄露也不会被他人登录。'

/** 两步验证: add and remove an authenticator app and passkeys, renew the recovery codes. */
export function SecondFactor({ uid }: { uid: string }) {
  const { data, error, refetch } = useQuery({ ...secondFactor(uid), enabled: uid !== '' })
  const calls = useSecondFactor(uid)
  const [act, setAct] = useState<Act | null>(null)
  const [setUp, setSetUp] = useState<SetUp | null>(null)
  const [options, setOptions] = useState<PasskeyOptions | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const isHere = data?.PasskeyOrigins.includes(location.origin)
  const prove = async ({ Password, ...fields }: OwnerProofFields) => {
    if (!act || !data) return
    const proof = data.Enabled ? getProof(fields) : {}
    const owner = Password ? { Password } : proof
    switch (act.kind) {
      case 'addAuthenticator':
        setSetUp(await calls.beginAuthenticator.mutateAsync(owner))
        break
      case 'addPasskey':
        setOptions(await calls.beginPasskey.mutateAsync(owner))
        break
      case 'renewCodes':
        setCodes(await calls.renewCodes.mutateAsync(proof))
        break
      case 'removePasskey':
        await calls.removePasskey.mutateAsync({ Id: act.passkey.Id, proof })
        break
      default:
        await calls.change.mutateAsync({ act: act.kind, proof })
    }
    const done = DONE[act.kind]
    if (done) toast.success(done)
  }
  const add = (kind: 'addAuthenticator' | 'addPasskey') => () => setAct({ kind })
  return (
    <section className={styles.part} aria-label="两步验证">
      <header className={styles.head}>
        <h2>
          两步验证{' '}
          {data && (
            <Tag tone={data.Enabled ? 'good' : 'plain'}>{data.Enabled ? '已开启' : '未开启'}</Tag>
          )}
        </h2>
      </header>
      <p className={styles.lead}>
        {data && describe(data)}
        {data?.Required && '贵司要求两步验证，不能关闭。'}
      </p>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading height={72} />}
      {data?.Enabled && <FactorList of={data} onAct={setAct} />}
      {data && (
        <div className={styles.factorActs}>
          {!data.HasAuthenticator && <Button onClick={add('addAuthenticator')}>添加验证器</Button>}
          {isHere && <Button onClick={add('addPasskey')}>添加通行密钥</Button>}
          {data.Enabled && (
            <Button onClick={() => setAct({ kind: 'renewCodes' })}>更换恢复码</Button>
          )}
          {data.RememberedDevices > 0 && (
            <Button onClick={() => setAct({ kind: 'ForgetDevices' })}>取消免验证</Button>
          )}
          {data.Enabled && !data.Required && (
            <Button danger onClick={() => setAct({ kind: 'Remove' })}>
              关闭
            </Button>
          )}
        </div>
      )}
      {data?.PasskeyOrigins[0] && !isHere && (
        <p className={styles.lead}>
          通行密钥只能在 <a href={data.PasskeyOrigins[0]}>{data.PasskeyOrigins[0]}</a> 添加和使用。
        </p>
      )}
      <FormDialog<OwnerProofFields>
        title={act ? TITLES[act.kind] : ''}
        open={act !== null}
        onClose={() => setAct(null)}
        onSubmit={prove}
        okText={act?.kind.startsWith('add') ? '下一步' : '确认'}
        width={460}
      >
        {act?.kind === 'removePasskey' && (
          <p className={styles.lead}>移除后，“{act.passkey.Name}”不能再用于登录。</p>
        )}
        {data && (data.Enabled ? <FactorProof of={data} /> : <PasswordProof />)}
      </FormDialog>
      <FormDialog<{ SecondFactorCode: string }>
        title="添加验证器"
        open={setUp !== null}
        onClose={() => setSetUp(null)}
        onSubmit={async ({ SecondFactorCode }) => {
          const code = { SecondFactorCode: SecondFactorCode.trim() }
          setCodes(await calls.confirm.mutateAsync(code))
          toast.success('验证器已启用')
        }}
        okText="确认"
        width={460}
      >
        {setUp && <AuthenticatorSetUp of={setUp} />}
        <Form.Item
          name="SecondFactorCode"
          label="验证码"
          extra="App 显示的 6 位数字"
          rules={[{ required: true, message: '请输入验证码' }]}
        >
          <Input maxLength={20} autoComplete="one-time-code" />
        </Form.Item>
      </FormDialog>
      <FormDialog<{ Name: string }>
        title="添加通行密钥"
        open={options !== null}
        onClose={() => setOptions(null)}
        onSubmit={async ({ Name }) => {
          if (options) setCodes(await calls.addPasskey.mutateAsync({ name: Name.trim(), options }))
          toast.success('通行密钥已添加')
        }}
        okText="添加"
        width={460}
      >
        <p className={styles.lead}>
          通行密钥保存在电脑、手机或安全密钥中，用指纹、面容或 PIN 确认，不会被仿冒网站骗走。
        </p>
        <Form.Item
          name="Name"
          label="名称"
          extra="用于区分设备"
          rules={[{ required: true, whitespace: true, message: '请填写通行密钥的名称' }]}
        >
          <Input maxLength={40} placeholder="如：办公电脑、蓝色安全密钥" />
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
