import { boot } from '@/lib/boot'
import { formatTime } from '@/lib/time'
import styles from './PreviewBar.module.css'

/** Shows the staff that this is a preview, and links back to the published page. */
export default function PreviewBar() {
  const { Preview } = boot
  if (!Preview) return null
  return (
    <div role="status" className={styles.bar}>
      <b>预览</b>
      <span>
        站点在 {formatTime(Preview.At)} 的样子{Preview.IsDraft && '，含尚未发布的内容'}
      </span>
      <a href={window.location.pathname}>退出预览</a>
    </div>
  )
}
