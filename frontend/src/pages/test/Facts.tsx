import styles from './test.module.css'

/** Names and values in two columns. */
export const Facts = ({ rows }: { rows: readonly (readonly [string, string])[] }) => (
  <table className={styles.table}>
    <tbody>
      {rows.map(([name, value]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{value}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
