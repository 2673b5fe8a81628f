import { paths } from '@/lib/paths'
import { useTitle } from '@/lib/useTitle'
import { ButtonLink } from './Button'
import { Empty } from './States'
import styles from './States.module.css'

/** The page for an unknown address and for a subject that this person may not see. */
export function NotFound({
  title = '没有找到这个页面',
  text = '地址可能输错了，或内容已下架',
}: {
  title?: string
  text?: string
}) {
  useTitle(title)
  const action = (
    <>
      <ButtonLink to={paths.home()} look="primary">
        返回首页
      </ButtonLink>
      <ButtonLink to={paths.products()}>浏览全部商品</ButtonLink>
    </>
  )
  return (
    <div className={styles.sheet}>
      <Empty icon="search" title={title} action={action}>
        {text}
      </Empty>
    </div>
  )
}
