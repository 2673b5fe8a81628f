import styles from './Stars.module.css'

const STAR = 'M10 2.3l2.4 4.9 5.4.8-3.9 3.8.9 5.4-4.8-2.5-4.8 2.5.9-5.4L2.2 8l5.4-.8Z'
const FIVE = [1, 2, 3, 4, 5] as const
const WORDS = ['', '很不满意', '不满意', '一般', '满意', '非常满意'] as const

const Row = ({ width }: { width: number }) => (
  <svg viewBox="0 0 100 20" style={{ width }} aria-hidden>
    {FIVE.map((star) => (
      <path key={star} d={STAR} transform={`translate(${(star - 1) * 20} 0)`} />
    ))}
  </svg>
)

/** Stars out of five, with halves. Screen readers read the figure. */
export const Stars = ({ value, size = 14 }: { value: number; size?: number }) => (
  <span
    className={styles.stars}
    role="img"
    aria-label={`${value} 星`}
    style={{ width: size * 5, height: size }}
  >
    <Row width={size * 5} />
    <span style={{ width: `${(value / 5) * 100}%` }}>
      <Row width={size * 5} />
    </span>
  </span>
)

/** Five radio buttons drawn as stars. 0 means not chosen yet. */
export function StarChoice({
  value,
  onChange,
  name,
  label,
}: {
  value: number
  onChange: (value: number) => void
  name: string
  label: string
}) {
  return (
    <span className={styles.choice} role="radiogroup" aria-label={label}>
      {FIVE.map((star) => (
        <label key={star} className={star <= value ? styles.on : undefined} title={WORDS[star]}>
          <input
            type="radio"
            name={name}
            checked={star === value}
            aria-label={`${star} 星 ${WORDS[star]}`}
            onChange={() => onChange(star)}
          />
          <svg viewBox="0 0 20 20" width={26} height={26} aria-hidden>
            <path d={STAR} />
          </svg>
        </label>
      ))}
      <em aria-hidden>{WORDS[value]}</em>
    </span>
  )
}
