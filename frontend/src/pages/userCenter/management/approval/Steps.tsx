import { Button, InputNumber, Segmented, Select } from 'antd'
import { StepPicture } from '@/domain/approvals/StepPicture'
import { Icon } from '@/ui/Icon'
import styles from './rules.module.css'
import {
  APPROVERS,
  bandName,
  moveRow,
  newStep,
  getWho,
  type ApproverKind,
  type BandDraft,
  type Mode,
  type StepDraft,
} from './draft'
import { ManySelect, OneSelect } from './Pickers'

interface StepsProps {
  rows: readonly StepDraft[]
  bands: readonly BandDraft[]
  onChange: (rows: readonly StepDraft[]) => void
}

function ApproverFields({
  step,
  set,
  no,
}: {
  step: StepDraft
  set: (change: Partial<StepDraft>) => void
  no: number
}) {
  if (step.ApproverKind === 'accounts')
    return (
      <ManySelect
        kind="account"
        forApproval
        value={step.Accounts}
        onChange={(Accounts) => set({ Accounts })}
        label={`第 ${no} 步的审批人`}
      />
    )
  if (step.ApproverKind === 'role')
    return (
      <OneSelect
        kind="role"
        value={step.Role}
        onChange={(Role) => set({ Role })}
        label={`第 ${no} 步的角色`}
      />
    )
  if (step.ApproverKind === 'head')
    return <span className={styles.hint}>申请人所在部门的负责人</span>
  return (
    <span className={styles.inline}>
      向上{' '}
      <InputNumber
        min={1}
        max={20}
        precision={0}
        value={step.LevelsUp}
        style={{ width: 72 }}
        aria-label={`第 ${no} 步向上级数`}
        onChange={(LevelsUp) => set({ LevelsUp: LevelsUp ?? 1 })}
      />{' '}
      级部门的负责人
    </span>
  )
}

/** A single approver is neither 或签 nor 会签. A department head is always a single approver. */
const hasMany = ({ ApproverKind, Accounts }: StepDraft): boolean =>
  ApproverKind === 'role' || (ApproverKind === 'accounts' && Accounts.length > 1)

export function Steps({ rows, bands, onChange }: StepsProps) {
  const set = (key: string, change: Partial<StepDraft>): void =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <section className={styles.block} aria-label="审批步骤">
      <header>
        <h3>由谁审批</h3>
      </header>
      {bands.length === 0 && (
        <StepPicture
          label="步骤示意"
          steps={rows.map((step) => ({
            key: step.key,
            who: getWho(step),
            mode: step.Mode,
            count: hasMany(step) ? 2 : 1,
          }))}
        />
      )}
      <ol className={styles.steps}>
        {rows.map((step, index) => (
          <li key={step.key} aria-label={`第 ${index + 1} 步`}>
            <i>{index + 1}</i>
            <div>
              <span className={styles.inline}>
                <Select<ApproverKind>
                  value={step.ApproverKind}
                  style={{ width: 160 }}
                  options={Object.entries(APPROVERS).map(([value, label]) => ({
                    value: value as ApproverKind,
                    label,
                  }))}
                  aria-label={`第 ${index + 1} 步由谁审批`}
                  onChange={(ApproverKind) => set(step.key, { ApproverKind })}
                />
                {bands.length > 0 && (
                  <Select
                    value={step.Band ?? ''}
                    style={{ width: 120 }}
                    options={[
                      { value: '', label: '所有档' },
                      ...bands.map(({ key }, band) => ({ value: key, label: bandName(band) })),
                    ]}
                    aria-label={`第 ${index + 1} 步属于`}
                    onChange={(Band) => set(step.key, { Band: Band || null })}
                  />
                )}
                {hasMany(step) && (
                  <Segmented<Mode>
                    value={step.Mode}
                    options={[
                      { value: 'any', label: '或签·任一人同意' },
                      { value: 'all', label: '会签·全部同意' },
                    ]}
                    onChange={(Mode) => set(step.key, { Mode })}
                  />
                )}
              </span>
              <ApproverFields step={step} set={(change) => set(step.key, change)} no={index + 1} />
            </div>
            <span className={styles.tools}>
              <Button
                type="text"
                size="small"
                disabled={index === 0}
                icon={<Icon name="up" size={16} label={`第 ${index + 1} 步上移`} />}
                onClick={() => onChange(moveRow(rows, index, -1))}
              />
              <Button
                type="text"
                size="small"
                disabled={index === rows.length - 1}
                icon={<Icon name="down" size={16} label={`第 ${index + 1} 步下移`} />}
                onClick={() => onChange(moveRow(rows, index, 1))}
              />
              <Button
                type="text"
                size="small"
                disabled={rows.length === 1}
                icon={<Icon name="trash" size={16} label={`删除第 ${index + 1} 步`} />}
                onClick={() => onChange(rows.filter(({ key }) => key !== step.key))}
              />
            </span>
          </li>
        ))}
      </ol>
      {rows.length < 20 && (
        <Button
          type="dashed"
          icon={<Icon name="plus" size={16} />}
          onClick={() => onChange([...rows, newStep()])}
        >
          添加步骤
        </Button>
      )}
    </section>
  )
}
