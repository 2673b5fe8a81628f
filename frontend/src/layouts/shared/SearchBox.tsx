import { lazy, Suspense, useEffect, useState, type KeyboardEvent } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { MAX_KEYWORD_LENGTH } from '@/domain/catalog/keywordLength'
import type { Suggestion } from '@/domain/catalog/suggest'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { useCalm } from '@/lib/useCalm'
import { PHONE, useMedia } from '@/lib/useMedia'
import { Icon } from '@/ui/Icon'
import { onIntent } from '@/ui/intent'
import { toast } from '@/ui/toast'
import styles from './SearchBox.module.css'

const images = onIntent(
  () => import(/* webpackChunkName: "image-search" */ '@/domain/catalog/ImageSearch'),
)
// The row is left out if it cannot be loaded.
const HotWords = lazy(() =>
  import(/* webpackChunkName: "panels" */ './HotWords').catch(() => ({ default: () => undefined })),
)
const panel = onIntent(() => import(/* webpackChunkName: "suggestions" */ './Suggestions'))

const NONE: readonly File[] = []

/** The place of the hot words. A phone has no room for them. */
function HotRow() {
  const uid = useSession()?.User.uid
  const isCalm = useCalm()
  const isPhone = useMedia(PHONE)
  if (uid === undefined || isPhone) return null
  return (
    <div className={styles.hot} role="group" aria-label="热门搜索" data-hot>
      <Suspense>{isCalm && <HotWords uid={uid} />}</Suspense>
    </div>
  )
}

/**
 * The search box of the header. It shows suggestions while the user types, his own latest searches
 * first. The arrow keys move through them.
 */
export function SearchBox() {
  const navigate = useNavigate()
  const uid = useSession()?.User.uid ?? null
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  // Other lists also have a keyword in their address. It is not a product keyword.
  const asked = (pathname === paths.products() && params.get('Keyword')) || ''
  const [text, setText] = useState(asked)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(-1)
  const [found, setFound] = useState<readonly Suggestion[]>([])
  // The pictures to search by. Null while the picture search is closed.
  const [pictures, setPictures] = useState<readonly File[] | null>(null)
  const rows = open ? found : []
  useEffect(() => {
    setText(asked)
    setOpen(false)
  }, [asked])

  const go = (to: string): void => {
    setOpen(false)
    void navigate(to)
  }
  const search = (): void => {
    const keyword = text.trim()
    // The panel shows the limits.
    if (keyword.length > MAX_KEYWORD_LENGTH) setOpen(true)
    else if (keyword) go(paths.products({ Keyword: keyword }))
    else toast.error('请输入搜索关键词')
  }
  const take = (index: number): void => {
    const row = rows[index]
    if (!row) return
    setText(row.label)
    go(row.to)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setOpen(false)
    if (event.key === 'Delete' && rows[chosen]?.drop) {
      event.preventDefault()
      rows[chosen].drop()
    }
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!move) return
    event.preventDefault()
    if (!open) setOpen(true)
    // -1 is the typed text. It comes between the last row and the first.
    else setChosen(((chosen + 1 + move + rows.length + 1) % (rows.length + 1)) - 1)
  }
  return (
    <div
      className={styles.wrap}
      onPointerEnter={panel.ready}
      onFocus={panel.ready}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
    >
      <form
        className={styles.box}
        role="search"
        onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
        onDrop={(event) => {
          if (!event.dataTransfer.files.length) return
          event.preventDefault()
          setPictures([...event.dataTransfer.files])
        }}
        onSubmit={(event) => {
          event.preventDefault()
          if (rows[chosen]) take(chosen)
          else search()
        }}
      >
        <input
          type="search"
          role="combobox"
          aria-label="搜索商品"
          aria-expanded={rows.length > 0}
          aria-controls="search-suggestions"
          aria-activedescendant={rows[chosen] ? `suggestion-${chosen}` : undefined}
          placeholder="商品名称、型号、编码或物料号"
          autoComplete="off"
          value={text}
          onFocus={() => setOpen(true)}
          onPaste={({ clipboardData: { files } }) => files.length > 0 && setPictures([...files])}
          onKeyDown={onKey}
          onChange={(event) => {
            setText(event.target.value)
            setChosen(-1)
            setOpen(true)
          }}
        />
        <button
          type="button"
          className={styles.camera}
          aria-label="以图搜索"
          title="以图搜索"
          onPointerEnter={images.ready}
          onFocus={images.ready}
          onClick={() => setPictures(NONE)}
        >
          <Icon name="camera" />
        </button>
        <button type="submit">
          <Icon name="search" size={18} />
          <span>搜索</span>
        </button>
      </form>
      <HotRow />
      {open && (
        <panel.Part
          text={text}
          uid={uid}
          rows={rows}
          chosen={chosen}
          onRows={setFound}
          onTake={take}
        />
      )}
      {pictures && <images.Part first={pictures} onClose={() => setPictures(null)} />}
    </div>
  )
}
