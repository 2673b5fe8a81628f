import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { call } from '@/api/call'
import styles from './Captcha.module.css'
import { Icon } from './Icon'
import { ErrorState, Skeleton } from './States'

const HANDLE = 44
type Point = [x: number, y: number, t: number]

/**
 * The slide puzzle. `onSolved` receives CaptchaVerifyParam when the piece is released, and null
 * when it is moved again. A new `nonce` loads another puzzle. `focused`: each new puzzle focuses
 * its slider.
 */
export function Captcha({
  onSolved,
  nonce = 0,
  isFocused = false,
}: {
  onSolved: (param: string | null) => void
  nonce?: number
  isFocused?: boolean
}) {
  const [round, setRound] = useState(0)
  const { data, error, refetch } = useQuery({
    queryKey: ['captcha', nonce, round],
    queryFn: ({ signal }) => call('get', '/api/Account/Captcha', { signal, quiet: true }),
    gcTime: 0,
    staleTime: Infinity,
  })
  const [x, setX] = useState(0)
  const [isReleased, setReleased] = useState(false)
  const track = useRef<Point[]>([])
  const begun = useRef(0)
  const handle = useRef<HTMLButtonElement>(null)
  const start = useRef<{ x: number; y: number; room: number } | null>(null)
  useEffect(() => {
    setX(0)
    setReleased(false)
    track.current = []
    if (data && isFocused) handle.current?.focus()
  }, [data, isFocused])

  const width = data?.Width ?? 340
  const height = data?.Height ?? 180
  const limit = width - (data?.PieceSize ?? HANDLE)
  // Two keys may be pressed between two renderings: the track knows, the state not yet.
  const present = (): number => track.current.at(-1)?.[0] ?? 0
  const move = (to: number, y: number, t: number): void => {
    const place = Math.round(Math.min(limit, Math.max(0, to)))
    if (track.current.length && place === present()) return
    setX(place)
    track.current.push([place, Math.round(y), Math.round(t)])
  }
  const finish = (): void => {
    if (!data || !track.current.length) return
    setReleased(true)
    onSolved(
      JSON.stringify({
        Id: data.Id,
        X: present(),
        Track: [...track.current.slice(0, 1), ...track.current.slice(1).slice(-399)],
      }),
    )
  }
  const onDown = (event: PointerEvent<HTMLButtonElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    // A correction goes on with the same slide: its clock and its track.
    if (!track.current.length) begun.current = performance.now()
    // On a narrow screen puzzle and track are narrower than the puzzle's own pixels.
    const room = (event.currentTarget.parentElement?.clientWidth ?? width) - HANDLE
    start.current = { x: event.clientX - (x / limit) * room, y: event.clientY, room }
    setReleased(false)
    onSolved(null)
    move(x, 0, performance.now() - begun.current)
  }
  const onMove = (event: PointerEvent): void => {
    const from = start.current
    if (from)
      move(
        ((event.clientX - from.x) * limit) / from.room,
        event.clientY - from.y,
        performance.now() - begun.current,
      )
  }
  const onUp = (): void => {
    if (!start.current) return
    start.current = null
    finish()
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step) {
      event.preventDefault()
      if (!track.current.length) {
        begun.current = performance.now()
        move(0, 0, 0)
      }
      move(present() + step * (event.shiftKey ? 1 : 5), 0, performance.now() - begun.current)
      onSolved(null)
      setReleased(false)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      finish()
    }
  }
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className={styles.captcha} style={{ width }}>
      <div className={styles.picture} style={{ aspectRatio: `${width} / ${height}` }}>
        {data ? (
          <>
            <img
              className={styles.background}
              src={data.Background}
              alt="把拼图滑到形状相同的缺口处"
              draggable={false}
            />
            <img
              src={data.Piece}
              alt=""
              draggable={false}
              style={{
                top: `${(data.Y / height) * 100}%`,
                left: `${(x / width) * 100}%`,
                width: `${((data.PieceSize ?? HANDLE) / width) * 100}%`,
              }}
            />
            <button
              type="button"
              className={styles.again}
              aria-label="换一张"
              onClick={() => {
                onSolved(null)
                setRound(round + 1)
              }}
            >
              <Icon name="swap" size={16} />
            </button>
          </>
        ) : (
          <Skeleton height={height} />
        )}
      </div>
      <div className={styles.track}>
        <span
          className={styles.done}
          style={{ width: x ? `calc((100% - ${HANDLE}px) * ${x / limit} + ${HANDLE / 2}px)` : 0 }}
        />
        {x === 0 && '按住滑块，拖到形状相同的缺口处'}
        <button
          ref={handle}
          type="button"
          className={styles.handle}
          role="slider"
          aria-label="滑动验证，方向键移动，回车确认"
          disabled={!data}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={x}
          style={{ left: `calc((100% - ${HANDLE}px) * ${x / limit})` }}
          onPointerDown={onDown}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerCancel={onUp}
          onKeyDown={onKey}
        >
          <Icon name={isReleased ? 'check' : 'right'} />
        </button>
      </div>
    </div>
  )
}
