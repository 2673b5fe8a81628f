import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { FormDialog } from '@/desk/FormDialog'
import { OwnerProof, type OwnerProofFields } from '@/domain/account/OwnerProof'
import { factorGap, type Group } from '@/domain/org/group'
import { paths } from '@/lib/paths'
import { ErrorState, Loading } from '@/ui/States'
import styles from './group.module.css'

interface RequirementDialogProps {
  group: Group
  /** Whether the second factor becomes compulsory, or stops being so. */
  isOn: boolean
  onClose: () => void
  onSubmit: (proof: OwnerProofFields) => Promise<unknown>
}

/**
 * Asks for the proof of the owner before the requirement of a second factor changes, and says whom
 * it concerns. Who has no second factor himself sets it up first.
 */
export function RequirementDialog({ group, isOn, onClose, onSubmit }: RequirementDialogProps) {
  const { data, error, refetch } = useQuery(factorGap(group.Id))
  const isBlocked = isOn && data?.HasOwn === false
  return (
    <FormDialog<OwnerProofFields>
      title={isOn ? '要求全集团使用两步验证' : '不再要求两步验证'}
      open
      onClose={onClose}
      onSubmit={isBlocked ? () => Promise.resolve() : onSubmit}
      okText={isBlocked ? '知道了' : '确认'}
      isNotice={isBlocked}
      width={480}
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading height={72} />}
      {isBlocked && (
        <p className={styles.refusal} role="alert">
          请先在<Link to={paths.account()}>个人信息 › 两步验证</Link>
          为自己的账号开启两步验证，再要求全集团使用。
        </p>
      )}
      {data && !isBlocked && (
        <p className={styles.quiet}>
          {isOn
            ? `${data.People} 个启用的账号中，${data.Without} 个尚未设置两步验证。这些人最迟 10 分钟后须重新登录，并按提示绑定手机验证器；用企业微信登录的不受影响。`
            : '之后各账号可以自行关闭两步验证，只用密码登录。'}
        </p>
      )}
      {data && !isBlocked && <OwnerProof label="您的登录密码" extra="验证是您本人操作" />}
    </FormDialog>
  )
}
