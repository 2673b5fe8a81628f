import type { ReturnDetail } from '@/domain/returns/returns'
import styles from './detail.module.css'

/** Thumbnails that open in full size. */
export const Pictures = ({
  pictures,
  label,
}: {
  pictures: ReturnDetail['Pictures']
  label: string
}) =>
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
