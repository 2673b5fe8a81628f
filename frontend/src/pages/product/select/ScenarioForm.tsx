import { useState, type FormEvent } from 'react'
import { fieldMessages, isApiError } from '@/api/errors'
import type { SelectScenario } from '@/api/schema'
import { Button } from '@/ui/Button'
import { Field, Input } from '@/ui/Field'
import { Icon, type IconName } from '@/ui/Icon'
import { getForm, findMistakes, type ScenarioForm as Form } from './form'
import { Kinds } from './Kinds'
import styles from './select.module.css'

const ICONS: Readonly<Record<string, IconName>> = {
  onboarding: 'gift',
  meeting: 'chat',
  printing: 'printer',
  festival: 'spark',
  '': 'edit',
}

interface Props {
  scenarios: readonly SelectScenario[]
  form: Form
  onChange: (form: Form) => void
  onSolve: () => void
  isBusy: boolean
  error: unknown
}

function Scenes({
  scenarios,
  code,
  onChoose,
}: {
  scenarios: readonly SelectScenario[]
  code: string
  onChoose: (scenario: SelectScenario) => void
}) {
  return (
    <div className={styles.scenes} role="radiogroup" aria-label="场景">
      {scenarios.map((scenario) => (
        <button
          key={scenario.Code}
          type="button"
          role="radio"
          aria-checked={scenario.Code === code}
          className={styles.scene}
          onClick={() => onChoose(scenario)}
          title={scenario.Hint}
        >
          <Icon name={ICONS[scenario.Code] ?? 'box'} size={20} />
          {scenario.Name}
        </button>
      ))}
    </div>
  )
}

/** The server's error for a scenario field. The server reports it under the key of the scenario. */
const readError = (error: unknown): string =>
  isApiError(error) ? (Object.values(fieldMessages(error))[0] ?? error.message) : ''

export function ScenarioForm({ scenarios, form, onChange, onSolve, isBusy, error }: Props) {
  const [isTried, setTried] = useState(false)
  const wrong = findMistakes(form)
  const shownErrors = isTried ? wrong : {}
  const scene = scenarios.find(({ Code }) => Code === form.code)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (!Object.keys(wrong).length) onSolve()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label="场景条件">
      <Scenes
        scenarios={scenarios}
        code={form.code}
        onChoose={(scenario) => onChange({ ...getForm(scenario), exclude: form.exclude })}
      />
      <p className={styles.sceneHint}>{scene?.Hint}</p>
      <div className={styles.pair}>
        <Field label={scene?.HeadsName ?? '人数'} error={shownErrors.heads}>
          <Input
            inputMode="numeric"
            maxLength={6}
            value={form.heads}
            onChange={(event) => onChange({ ...form, heads: event.target.value.trim() })}
          />
        </Field>
        <Field label="预算（元，含税）" error={shownErrors.budget}>
          <Input
            inputMode="decimal"
            maxLength={12}
            value={form.budget}
            onChange={(event) => onChange({ ...form, budget: event.target.value.trim() })}
          />
        </Field>
      </div>
      <Kinds
        kinds={form.kinds}
        heads={Number(form.heads) || 0}
        onChange={(kinds) => onChange({ ...form, kinds })}
        error={shownErrors.kinds}
      />
      <Field label="不要的品牌或商品" hint="用空格隔开，例如 采优选 玻璃">
        <Input
          maxLength={200}
          value={form.exclude}
          onChange={(event) => onChange({ ...form, exclude: event.target.value })}
        />
      </Field>
      {error !== null && error !== undefined && (
        <p className={styles.refused} role="alert">
          {readError(error)}
        </p>
      )}
      <div className={styles.go}>
        <Button type="submit" look="primary" size="l" wide icon="spark" loading={isBusy}>
          {isBusy ? '正在配齐…' : '生成方案'}
        </Button>
      </div>
    </form>
  )
}
