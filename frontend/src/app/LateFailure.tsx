import { lazy, Suspense } from 'react'
import { Button } from '@/ui/Button'
import { Empty } from '@/ui/States'
import styles from './Root.module.css'

/** Shown when even the code of the error page cannot be loaded. */
const Bare = () => (
  <main className={styles.failure}>
    <Empty
      icon="warn"
      title="页面加载失败"
      action={
        <Button look="primary" onClick={() => window.location.reload()}>
          重新加载
        </Button>
      }
    >
      请检查网络后重新加载
    </Empty>
  </main>
)

const Failure = lazy(() =>
  import(/* webpackChunkName: "trouble" */ './Trouble').then(
    (module) => ({ default: module.Failure }),
    () => ({ default: Bare }),
  ),
)

/** The router's error boundary. Its code is preloaded when the browser is idle. */
export const LateFailure = () => (
  <Suspense>
    <Failure />
  </Suspense>
)
