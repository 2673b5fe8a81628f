import { useQuery } from '@tanstack/react-query'
import { Button, DatePicker, Drawer, Input, Popconfirm, Switch } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { isApiError } from '@/api/errors'
import {
  ruleProblems,
  useSaveRule,
  type Rule,
  type RuleBody,
  type Stale,
} from '@/domain/approvals/rules'
import { useSettled } from '@/lib/useSettled'
import { toast } from '@/ui/toast'
import { Bands } from './Bands'
import styles from './rules.module.css'
import { Conditions } from './Conditions'
import { emptyDraft, listMissing, buildRuleBody, toDraft, type RuleDraft } from './draft'
import { ManySelect, PlaceSelect } from './Pickers'
import { Problems } from './Problems'
import { Replay } from './Replay'
import { StaleNotice } from './StaleNotice'
import { Steps } from './Steps'

/** The debounced body: the check runs once per pause, not per keystroke. */
const useSettledBody = (body: RuleBody): RuleBody =>
  JSON.parse(useSettled(JSON.stringify(body), 400)) as RuleBody

function useEditor(rule: Rule | null, onClose: () => void) {
  const [draft, setDraft] = useState<RuleDraft>(() => (rule ? toDraft(rule) : emptyDraft()))
  const [stale, setStale] = useState<Stale | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const save = useSaveRule()
  const todo = listMissing(draft)
  const check = useQuery({
    ...ruleProblems(useSettledBody(buildRuleBody(draft)), draft.Id),
    enabled: todo.length === 0,
  })
  const set = (change: Partial<RuleDraft>): void => {
    setRefusal(null)
    setDraft({ ...draft, ...change })
  }
  const send = (Anyway = false): void =>
    save.mutate(
      { body: { ...buildRuleBody(draft), Anyway }, Id: draft.Id, UpdatedAt: draft.UpdatedAt },
      {
        onSuccess: () => {
          toast.success(
            draft.Id ? '规则已保存，审批中的订单仍按原版本审批' : '规则已保存，从下一张订单起生效',
          )
          onClose()
        },
        onError: (error) =>
          isApiError(error, 'stale')
            ? setStale(error.body as Stale)
            : setRefusal(
                isApiError(error)
                  ? (error.fields['Problems']?.join('；') ?? error.message)
                  : error.message,
              ),
      },
    )
  const take = (present: Rule, keep: boolean): void => {
    setDraft(keep ? { ...draft, UpdatedAt: present.UpdatedAt } : toDraft(present))
    setStale(null)
  }
  return { draft, set, todo, check, stale, take, refusal, send, isSaving: save.isPending }
}

const day = (text: string | null) => (text ? dayjs(text) : null)

/**
 * The rule editor: conditions as sentences, steps as a diagram, and the problems found before
 * saving.
 */
export default function Editor({ rule, onClose }: { rule: Rule | null; onClose: () => void }) {
  const { draft, set, todo, check, stale, take, refusal, send, isSaving } = useEditor(rule, onClose)
  const problem = refusal ?? (check.error && todo.length === 0 ? check.error.message : null)
  const stops = (check.data ?? []).filter(({ Level }) => Level === 'stop').length
  const button = (
    <Button
      type="primary"
      disabled={todo.length > 0 || Boolean(check.error)}
      loading={isSaving}
      {...(stops ? {} : { onClick: () => send() })}
    >
      保存规则
    </Button>
  )
  return (
    <Drawer
      title={draft.Id ? '修改审批规则' : '新增审批规则'}
      open
      size={760}
      onClose={onClose}
      mask={{ closable: false }}
      footer={
        <div className={styles.foot}>
          <Problems todo={todo} rows={check.data} refusal={problem} isChecking={check.isFetching} />
          <span>
            <Button onClick={onClose}>取消</Button>
            {stops > 0 ? (
              <Popconfirm
                title={`有 ${stops} 处订单没有指定的人审批或规则不会触发，仍要保存？`}
                okText="仍要保存"
                onConfirm={() => send(true)}
              >
                {button}
              </Popconfirm>
            ) : (
              button
            )}
          </span>
        </div>
      }
    >
      {stale && (
        <StaleNotice
          stale={stale}
          onTake={() => take(stale.Rule, false)}
          onKeep={() => take(stale.Rule, true)}
        />
      )}
      <section className={styles.block} aria-label="基本信息">
        <div className={styles.fields}>
          <div>
            规则名称
            <Input
              value={draft.Name}
              maxLength={80}
              placeholder="如：两千元以上部门负责人审批"
              aria-label="规则名称"
              onChange={(event) => set({ Name: event.target.value })}
            />
          </div>
          <div>
            适用范围
            <PlaceSelect
              value={draft.Place}
              text={draft.PlaceText}
              onChange={(Place, PlaceText) => set({ Place, PlaceText })}
            />
          </div>
        </div>
      </section>
      <Conditions mode={draft.ConditionMode} rows={draft.Conditions} onChange={set} />
      <Bands
        rows={draft.Bands}
        steps={draft.Steps}
        onChange={(Bands) =>
          set({
            Bands,
            // A step of a deleted band applies to all bands, so that it is not lost.
            Steps: draft.Steps.map((step) =>
              Bands.some(({ key }) => key === step.Band) ? step : { ...step, Band: null },
            ),
          })
        }
      />
      <Steps rows={draft.Steps} bands={draft.Bands} onChange={(rows) => set({ Steps: rows })} />
      <section className={styles.block} aria-label="抄送">
        <header>
          <h3>抄送给谁</h3>
        </header>
        <div className={styles.fields}>
          <div>
            人员
            <ManySelect
              kind="account"
              value={draft.CopyAccounts}
              onChange={(CopyAccounts) => set({ CopyAccounts })}
              label="抄送的人"
              forApproval
            />
          </div>
          <div>
            角色
            <ManySelect
              kind="role"
              value={draft.CopyRoles}
              onChange={(CopyRoles) => set({ CopyRoles })}
              label="抄送的角色"
            />
          </div>
        </div>
        <span className={styles.hint}>订单命中规则时收到通知，可以查看，不参与审批</span>
      </section>
      <section className={styles.block} aria-label="有效期">
        <header>
          <h3>何时有效</h3>
        </header>
        <div className={styles.inline}>
          <DatePicker
            value={day(draft.ValidFrom)}
            placeholder="立即生效"
            aria-label="生效日"
            onChange={(value) => set({ ValidFrom: value ? value.format('YYYY-MM-DD') : null })}
          />
          至
          <DatePicker
            value={day(draft.ValidUntil)}
            placeholder="长期有效"
            aria-label="失效日"
            onChange={(value) => set({ ValidUntil: value ? value.format('YYYY-MM-DD') : null })}
          />
          <span className={styles.hint}>当天有效，按北京时间</span>
        </div>
        <div className={styles.inline}>
          <Switch
            checked={draft.AllowsSelfApproval}
            aria-label="允许申请人审批自己的订单"
            onChange={(AllowsSelfApproval) => set({ AllowsSelfApproval })}
          />
          允许申请人审批自己的订单
        </div>
        <div className={styles.inline}>
          <Switch
            checked={draft.AllowsSamePerson}
            aria-label="允许同一人审批多个步骤"
            onChange={(AllowsSamePerson) => set({ AllowsSamePerson })}
          />
          允许同一人通过转交、代理或加签审批多个步骤
        </div>
      </section>
      <Replay body={buildRuleBody(draft)} id={draft.Id} disabled={todo.length > 0} />
    </Drawer>
  )
}
