import { useEffect, useRef, type RefObject } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Answer } from '@/api/call'
import { boot } from '@/lib/boot'
import { formatDate } from '@/lib/time'
import { Button } from '@/ui/Button'
import { Skeleton } from '@/ui/States'
import styles from './content.module.css'

type Page = Answer<'/api/Content/Help/{Number}'>

/** Links of the text are plain anchors: those of this site open without loading the page again. */
function useOwnLinks(text: RefObject<HTMLElement | null>): void {
  const navigate = useNavigate()
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const path = (event.target as Element).closest('a')?.getAttribute('href') ?? ''
      if (!path.startsWith('/') || event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      void navigate(path)
    }
    const element = text.current
    element?.addEventListener('click', follow)
    return () => element?.removeEventListener('click', follow)
  }, [navigate, text])
}

/** A page's text. The server made the HTML from Markdown and let nothing else through. */
export function Article({ page }: { page: Page }) {
  const text = useRef<HTMLDivElement>(null)
  useOwnLinks(text)
  return (
    <article className={styles.article}>
      <header>
        <h1>{page.Title}</h1>
        <p className={styles.summary}>{page.Summary}</p>
        <p className={styles.meta} data-chrome>
          更新于 {formatDate(page.UpdatedAt)}
          <Button look="text" size="s" icon="printer" onClick={() => window.print()}>
            打印
          </Button>
        </p>
      </header>
      {/* oxlint-disable-next-line react/no-danger -- rendered by the server from Markdown, raw HTML refused there */}
      <div ref={text} className={styles.text} dangerouslySetInnerHTML={{ __html: page.Html }} />
    </article>
  )
}

/** Contact for questions that the page does not answer. */
export function Contact() {
  const { Phone, ServiceHours } = boot.Footer
  return (
    <aside className={styles.contact} data-chrome>
      <div>
        <b>没有解决您的问题？</b>
        <span>
          {ServiceHours}
          {Phone && ` · ${Phone}`}
        </span>
      </div>
      {boot.Links.CustomerService && (
        <a
          className={styles.ask}
          href={boot.Links.CustomerService}
          target="_blank"
          rel="noreferrer"
        >
          联系在线客服
        </a>
      )}
    </aside>
  )
}

export const ArticleSkeleton = () => (
  <div className={styles.article} aria-busy>
    <Skeleton height={28} width="40%" />
    <Skeleton height={22} width="80%" />
    <Skeleton height={320} />
  </div>
)
