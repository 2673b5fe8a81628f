import type { ApplicationDetail } from '@/domain/invoices/invoices'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Button, ButtonLink } from '@/ui/Button'
import { Icon } from '@/ui/Icon'
import styles from './apply.module.css'

/** Shown after the application: the next steps. */
export function Done({
  application,
  onMore,
}: {
  application: ApplicationDetail
  onMore: () => void
}) {
  return (
    <section className={styles.done} role="status">
      <Icon name="check" size={48} />
      <h2>开票申请已提交</h2>
      <p>
        申请单号 {application.ApplicationNo} · {application.KindText} {application.InvoiceCount} 张
        · 价税合计 {yuan(application.Amount)}
      </p>
      <p>平台审核后开具，结果会通知您；审核前可在开票记录中撤回。</p>
      <div className={styles.buttons}>
        <ButtonLink
          to={paths.invoices({ View: 'applications', ApplicationNo: application.ApplicationNo })}
          look="primary"
        >
          查看申请进度
        </ButtonLink>
        <Button onClick={onMore}>继续申请</Button>
      </div>
    </section>
  )
}
