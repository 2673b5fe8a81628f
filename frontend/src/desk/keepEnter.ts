import type { KeyboardEvent } from 'react'

/** Enter in a date picker takes the day and goes on to the next; the form around it is not sent. */
export function keepEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}
