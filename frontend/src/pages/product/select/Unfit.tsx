import type { Selection } from '@/api/schema'
import { toFen, yuan } from '@/lib/money'
import { Button } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import type { ScenarioForm } from './form'
import styles from './select.module.css'

/** Rounded up to whole yuan. */
const roundUpToYuan = (money: string): string => String(Math.ceil(toFen(money) / 100))

/** No basket fits: the alternatives, each with one click. */
export function Unfit({
  answer,
  form,
  onSolve,
}: {
  answer: Selection
  form: ScenarioForm
  onSolve: (form: ScenarioForm) => void
}) {
  const { Message, NeededBudget, Drop, Items } = answer
  return (
    <div className={styles.unfit} role="alert">
      <Icon name="warn" size={32} />
      <h2>{Message}</h2>
      <div className={styles.ways}>
        {NeededBudget && (
          <Button
            look="primary"
            onClick={() => onSolve({ ...form, budget: roundUpToYuan(NeededBudget) })}
          >
            把预算提高到 {yuan(roundUpToYuan(NeededBudget))}
          </Button>
        )}
        {Drop.length > 0 && (
          <Button
            onClick={() =>
              onSolve({
                ...form,
                kinds: form.kinds.map((kind) =>
                  Drop.includes(kind.name) ? { ...kind, on: false } : kind,
                ),
              })
            }
          >
            不配{Drop.join('、')}
          </Button>
        )}
      </div>
      <ul>
        {Items.filter((item) => item.Message).map((item) => (
          <li key={item.No}>
            <b>{item.Text}</b> {item.Message}
          </li>
        ))}
      </ul>
    </div>
  )
}
