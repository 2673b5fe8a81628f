import styles from './rules.module.css'

interface Row {
  Field: string
  Label: string
  Before: string
  After: string
}

/** The fields that differ from the previous version. */
export function Differences({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className={styles.differences}>
      {rows.map(({ Field, Label, Before, After }) => (
        <div key={Field}>
          <dt>{Label}</dt>
          <dd>
            <del>{Before || '（空）'}</del>
            <ins>{After || '（空）'}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
