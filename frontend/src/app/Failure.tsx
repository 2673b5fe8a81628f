import { useEffect, useState } from 'react'
import { useRouteError } from 'react-router-dom'
import { Masthead } from '@/domain/content/Masthead'
import { hasDrafts, saveDrafts } from '@/lib/drafts'
import { session } from '@/lib/session'
import { Button } from '@/ui/Button'
import { Empty } from '@/ui/States'
import styles from './Root.module.css'

/** A script or stylesheet of a screen that failed to load or took more than 120 s. */
const isLoadFailure = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'ChunkLoadError' ||
    (error as Error & { code?: string }).code === 'CSS_CHUNK_LOAD_FAILED')

/**
 * The scripts that the server wrote into the page (`defer`). Webpack adds a script without it for
 * each chunk that is loading now.
 */
const getScripts = (page: Document): string =>
  [...page.querySelectorAll('script[defer][src^="/static/app/"]')]
    .map((script) => script.getAttribute('src'))
    .join()

/** True if the server has another build than this page; null while unknown. */
function useReleased(isAsking: boolean): boolean | null {
  const [isReleased, setReleased] = useState<boolean | null>(null)
  useEffect(() => {
    if (!isAsking) return
    fetch(window.location.href, {
      cache: 'no-store',
      headers: { Accept: 'text/html' },
      signal: AbortSignal.timeout(10_000),
    })
      .then((answer) =>
        answer.ok ? answer.text() : Promise.reject(new Error(String(answer.status))),
      )
      .then((html) =>
        setReleased(
          getScripts(new DOMParser().parseFromString(html, 'text/html')) !== getScripts(document),
        ),
      )
      .catch(() => setReleased(false))
  }, [isAsking])
  return isReleased
}

/**
 * The error page of a screen that could not be loaded (a new release, no network) or failed to
 * render.
 */
export function Failure() {
  const loading = isLoadFailure(useRouteError())
  const isReleased = useReleased(loading)
  useEffect(() => {
    if (loading) saveDrafts(session.get()?.User.uid ?? '')
  }, [loading])
  const title = !loading ? '页面出错了' : isReleased ? '商城已更新' : '页面加载失败'
  const draftHint = hasDrafts() ? '，您填写的内容会为您保留' : ''
  const advice = !loading
    ? '请重新加载，若仍有问题请联系客服'
    : isReleased
      ? `商城刚刚发布了新版本，重新加载后即可继续使用${draftHint}`
      : `请检查网络后重新加载${draftHint}`
  return (
    <div className={styles.failure}>
      <Masthead />
      <main>
        <Empty
          icon={isReleased ? 'swap' : 'warn'}
          title={title}
          action={
            <Button look="primary" onClick={() => window.location.reload()}>
              重新加载
            </Button>
          }
        >
          {advice}
        </Empty>
      </main>
    </div>
  )
}
