import type { ReactNode } from 'react'
import { cx } from '@/ui/cx'
import styles from './document.module.css'

/** The page of one document (order, return, cancellation, inquiry, invoice, statement): cards below each other. */
export const DocumentPage = ({ children }: { children: ReactNode }) => (
  <div className={styles.page}>{children}</div>
)

interface DocumentCardProps {
  title: ReactNode
  /** The section's name for screen readers. Needed when the title is not a plain text. */
  label?: string
  /** A remark beside the title, in small type. */
  note?: ReactNode
  /** Buttons at the right of the title. */
  actions?: ReactNode
  /** The target of a link within the page. */
  id?: string
  /** Leave the card out of the printed page. */
  isOnScreenOnly?: boolean
  children: ReactNode
}

export const DocumentCard = ({
  title,
  label = typeof title === 'string' ? title : undefined,
  note,
  actions,
  id,
  isOnScreenOnly = false,
  children,
}: DocumentCardProps) => (
  <section
    className={cx(styles.card, isOnScreenOnly && styles.onScreenOnly)}
    aria-label={label}
    id={id}
  >
    <div className={styles.cardHead}>
      <h2>
        {title}
        {note && <small>{note}</small>}
      </h2>
      {actions}
    </div>
    {children}
  </section>
)

interface DocumentHeadProps {
  /** Kind and number of the document, followed by its state tags. */
  title: ReactNode
  /** The section's name for screen readers. */
  label?: string
  /** Who made it, when, and what it belongs to; one paragraph each. */
  description: ReactNode
  actions?: ReactNode
  /** One sentence that says what the state means for the reader. */
  state?: string
  /** Show the sentence as a refusal. */
  isStateBad?: boolean
  /** Progress and figures between the title and the sentence. */
  children?: ReactNode
}

export const DocumentHead = ({
  title,
  label,
  description,
  actions,
  state,
  isStateBad = false,
  children,
}: DocumentHeadProps) => (
  <section className={styles.card} aria-label={label}>
    <div className={styles.head}>
      <div>
        <h1>{title}</h1>
        {description}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
    {children}
    {state && (
      <p className={cx(styles.state, isStateBad && styles.bad)} role="status">
        {state}
      </p>
    )}
  </section>
)

/** Names and values below each other. A missing value is a dash. */
export const FactList = ({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={styles.facts}>
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value || '—'}</dd>
      </div>
    ))}
  </dl>
)

export interface DocumentPicture {
  FileId: string
  Url: string
  Name: string
}

interface PictureListProps {
  pictures: readonly DocumentPicture[]
  label: string
}

/** Thumbnails that open in full size. */
export const PictureList = ({ pictures, label }: PictureListProps) =>
  pictures.length > 0 && (
    <ul className={styles.pictures} aria-label={label}>
      {pictures.map(({ FileId, Url, Name }) => (
        <li key={FileId}>
          <a href={Url} target="_blank" rel="noreferrer" aria-label={`查看大图 ${Name}`}>
            <img src={Url} alt={Name} width={88} height={88} />
          </a>
        </li>
      ))}
    </ul>
  )
