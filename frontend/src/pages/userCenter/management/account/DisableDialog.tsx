import { useQuery } from '@tanstack/react-query'
import { Form } from 'antd'
import { FormDialog } from '@/desk/FormDialog'
import { leaving, useDisable, type AccountRow } from '@/domain/org/accounts'
import { PersonSelect } from '@/domain/org/PersonSelect'
import { ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './account.module.css'

/**
 * Disables an account: its open tasks go to a chosen colleague. The dialog lists what else needs
 * attention.
 */
export function DisableDialog({ row, onClose }: { row: AccountRow; onClose: () => void }) {
  const { data, error, refetch } = useQuery(leaving(row.Id))
  const disable = useDisable()
  const submit = async ({ SuccessorId }: { SuccessorId?: string }): Promise<void> => {
    const { Sessions, HandedTo } = await disable.mutateAsync({ pk: row.Id, SuccessorId })
    toast.success(
      `账号已停用${Sessions ? `，已退出 ${Sessions} 处登录` : ''}${HandedTo ? `，已移交审批：${HandedTo}` : ''}`,
    )
  }
  return (
    <FormDialog<{ SuccessorId?: string }>
      title={`停用账号 · ${row.NickName}`}
      open
      onClose={onClose}
      onSubmit={submit}
      okText="停用"
      danger
    >
      <p className={styles.note}>
        停用后立即退出所有登录，不能再登录或下单。购物车、订单和地址都会保留，重新启用后可继续使用。
      </p>
      {!data ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading height={96} />
        )
      ) : (
        <>
          {(data.Departments.length > 0 || data.Rules.length > 0) && (
            <ul className={styles.warn} aria-label="停用后需要处理">
              {data.Departments.length > 0 && (
                <li>仍是 {data.Departments.join('、')} 的负责人，请在部门管理中更换</li>
              )}
              {data.Rules.length > 0 && (
                <li>审批规则 {data.Rules.join('、')} 仍指定此人，请在审批规则中更换</li>
              )}
            </ul>
          )}
          {data.Approvals > 0 && (
            <Form.Item
              name="SuccessorId"
              label={`还有 ${data.Approvals} 个审批等待处理，移交给`}
              rules={[{ required: true, message: '请选择接手人' }]}
              extra="接手人须有“订单审批”权限；由接手人本人发起的审批会转给集团管理员"
            >
              <PersonSelect without={row.Id} />
            </Form.Item>
          )}
        </>
      )}
    </FormDialog>
  )
}
