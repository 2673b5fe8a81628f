import type { KeyboardEvent } from 'react'

/** Enter in a date picker accepts the day and does not submit the form. */
export function confirmDayOnEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}
