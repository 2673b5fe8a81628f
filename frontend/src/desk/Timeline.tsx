import { formatTime } from '@/lib/time'
import styles from './desk.module.css'

export interface TimelineEvent {
  At: string
  By?: string | { Name: string } | null
  ActingFor?: string | { Name: string } | null
  Event: string
  Note?: string | null
}

const nameOf = (who: TimelineEvent['By']): string =>
  typeof who === 'string' ? who : (who?.Name ?? '')

/**
 * The events of a document, latest first: person, time, and the represented person for a delegated
 * act.
 */
export function Timeline({ events }: { events: readonly TimelineEvent[] }) {
  return (
    <ol className={styles.timeline}>
      {[...events]
        .toSorted((one, other) => other.At.localeCompare(one.At))
        .map(({ At, By, ActingFor, Event, Note }) => (
          <li key={`${At}-${Event}-${nameOf(By)}`}>
            <b>{Event}</b>
            <span className={styles.when}>
              {formatTime(At)} {nameOf(By)}
              {ActingFor && ` 代 ${nameOf(ActingFor)}`}
            </span>
            {Note && <p className={styles.note}>{Note}</p>}
          </li>
        ))}
    </ol>
  )
}
