import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { useRemind } from './shortages'

/** Registers the signed-in person for a product, or cancels it. */
export function ReminderButton({
  code,
  isReminded,
  disabled,
}: {
  code: string
  isReminded: boolean
  disabled?: boolean
}) {
  const remind = useRemind(code)
  return (
    <>
      <Button
        size="s"
        look={isReminded ? 'tint' : 'secondary'}
        aria-pressed={isReminded}
        loading={remind.isPending}
        disabled={disabled}
        onClick={() => remind.mutate(!isReminded)}
      >
        到货提醒
      </Button>
      {isReminded && <Link to={paths.reminders()}>我的到货提醒</Link>}
    </>
  )
}
