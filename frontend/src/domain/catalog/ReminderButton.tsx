import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { useRemind } from './shortages'

/** Registers the signed-in person for a product, or cancels it. */
export function ReminderButton({
  code,
  reminded,
  disabled,
}: {
  code: string
  reminded: boolean
  disabled?: boolean
}) {
  const remind = useRemind(code)
  return (
    <>
      <Button
        size="s"
        look={reminded ? 'tint' : 'secondary'}
        aria-pressed={reminded}
        loading={remind.isPending}
        disabled={disabled}
        onClick={() => remind.mutate(!reminded)}
      >
        到货提醒
      </Button>
      {reminded && <Link to={paths.reminders()}>我的到货提醒</Link>}
    </>
  )
}
