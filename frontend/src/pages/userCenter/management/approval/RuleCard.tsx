import { Button, Dropdown, Popconfirm, Switch } from 'antd'
import { StatusTag } from '@/desk/StatusTag'
import { StepPicture } from '@/domain/approvals/StepPicture'
import { ruleTone, type Rule } from '@/domain/approvals/rules'
import { cx } from '@/ui/cx'
import { Icon } from '@/ui/Icon'
import { Tag } from '@/ui/Small'
import styles from './rules.module.css'

export interface RuleActions {
  onEdit: (rule: Rule) => void
  onVersions: (rule: Rule) => void
  onCopy: (rule: Rule) => void
  onDelete: (rule: Rule) => void
  onSwitch: (rule: Rule, isOn: boolean) => void
  onMove: ((rule: Rule, by: -1 | 1) => void) | null
}

/**
 * A department head is one person, a role can have several. Only steps with several people show 或签
 * or 会签.
 */
const countOf = (step: Rule['Steps'][number]): number =>
  step.ApproverKind === 'role' ? 2 : step.ApproverKind === 'accounts' ? step.Accounts.length : 1

const pictured = (step: Rule['Steps'][number]) => ({
  key: step.No,
  who: step.Text,
  mode: step.Mode,
  count: countOf(step),
})

/** The names of the people and roles who get a copy of the order; empty if nobody does. */
const getCopyNames = ({ CopyAccounts, CopyRoles }: Rule): string =>
  [...CopyAccounts, ...CopyRoles].map(({ Name }) => Name).join('、')

/** One rule: scope, conditions, approvers, and the actions on it. */
export function RuleCard({
  rule,
  isFirst,
  isLast,
  actions,
}: {
  rule: Rule
  isFirst: boolean
  isLast: boolean
  actions: RuleActions
}) {
  const more = [
    { key: 'copy', label: '复制' },
    { key: 'versions', label: `版本记录（第 ${rule.Version} 版）` },
  ]
  const copyNames = getCopyNames(rule)
  return (
    <li
      className={cx(styles.card, rule.Status === 'disabled' && styles.off)}
      aria-label={rule.Name}
    >
      <header>
        <h2>{rule.Name}</h2>
        <StatusTag text={rule.StatusText} tone={ruleTone(rule.Status)} />
        {rule.OriginText && (
          <Tag tone={rule.Origin === 'own' ? 'brand' : 'plain'}>{rule.OriginText}</Tag>
        )}
        {!rule.CanEdit && <Tag>上级规则，仅可查看</Tag>}
        <span className={styles.tools}>
          {rule.CanEdit && actions.onMove && (
            <>
              <Button
                type="text"
                size="small"
                disabled={isFirst}
                icon={<Icon name="up" size={16} label={`上移 ${rule.Name}`} />}
                onClick={() => actions.onMove?.(rule, -1)}
              />
              <Button
                type="text"
                size="small"
                disabled={isLast}
                icon={<Icon name="down" size={16} label={`下移 ${rule.Name}`} />}
                onClick={() => actions.onMove?.(rule, 1)}
              />
            </>
          )}
          {rule.CanEdit && (
            <>
              <Switch
                size="small"
                checked={rule.IsActive}
                aria-label={`启用 ${rule.Name}`}
                onChange={(isOn) => actions.onSwitch(rule, isOn)}
              />
              <Button type="link" size="small" onClick={() => actions.onEdit(rule)}>
                修改
              </Button>
              <Dropdown
                trigger={['click']}
                menu={{
                  items: more,
                  onClick: ({ key }) =>
                    key === 'copy' ? actions.onCopy(rule) : actions.onVersions(rule),
                }}
              >
                <Button type="link" size="small">
                  更多
                </Button>
              </Dropdown>
              <Popconfirm
                title="删除后不再触发审批，审批中的订单不受影响"
                okText="删除"
                onConfirm={() => actions.onDelete(rule)}
              >
                <Button type="link" size="small" danger>
                  删除
                </Button>
              </Popconfirm>
            </>
          )}
          {!rule.CanEdit && (
            <Button type="link" size="small" onClick={() => actions.onVersions(rule)}>
              版本记录
            </Button>
          )}
        </span>
      </header>
      <p className={styles.when}>
        <span>当</span>
        {rule.Conditions.length === 0 && <b>提交任何订单</b>}
        {rule.Conditions.map(({ Kind, Text }, index) => (
          <span key={Kind}>
            {index > 0 && <i>{rule.ConditionMode === 'all' ? '且' : '或'}</i>}
            <b>{Text}</b>
          </span>
        ))}
        <span>时</span>
      </p>
      {rule.Bands.length === 0 && <StepPicture steps={rule.Steps.map(pictured)} />}
      {rule.Bands.map(({ No, Text }) => {
        const steps = rule.Steps.filter(({ Band }) => Band === null || Band === No)
        return (
          <div key={No} className={styles.band}>
            <span>
              第 {No} 档 {Text}
            </span>
            {steps.length > 0 ? <StepPicture steps={steps.map(pictured)} /> : '不需要审批'}
          </div>
        )
      })}
      <footer>
        <span>适用：{rule.PlaceText}</span>
        <span>有效期：{rule.ValidityText}</span>
        {rule.AllowsSelfApproval && <span>申请人可审批本人订单</span>}
        {copyNames && <span>抄送：{copyNames}</span>}
        {rule.InFlight > 0 && <span>{rule.InFlight} 张订单审批中</span>}
      </footer>
    </li>
  )
}
