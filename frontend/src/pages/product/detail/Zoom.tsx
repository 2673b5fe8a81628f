import { useState, type KeyboardEvent } from 'react'
import { Button } from '@/ui/Button'
import { Dialog } from '@/ui/Dialog'
import { widths } from '@/ui/srcset'
import styles from './Zoom.module.css'

const SCALES = [1, 1.5, 2, 3]

/**
 * The large picture. The arrow keys change the picture, + and - zoom, 0 shows the whole picture.
 */
export default function Zoom({
  images,
  name,
  at,
  onAt,
  onClose,
}: {
  images: readonly string[]
  name: string
  at: number
  onAt: (at: number) => void
  onClose: () => void
}) {
  const [step, setStep] = useState(0)
  const src = images[at] ?? ''
  const size = (next: number): void => setStep(Math.min(SCALES.length - 1, Math.max(0, next)))
  const go = (by: number): void => {
    onAt((at + by + images.length) % images.length)
    setStep(0)
  }
  const keys: Record<string, () => void> = {
    ArrowLeft: () => go(-1),
    ArrowRight: () => go(1),
    '+': () => size(step + 1),
    '=': () => size(step + 1),
    '-': () => size(step - 1),
    '0': () => size(0),
  }
  const press = (event: KeyboardEvent): void => {
    const act = keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <Dialog
      open
      title={images.length > 1 ? `商品图片 ${at + 1} / ${images.length}` : '商品图片'}
      width={880}
      onClose={onClose}
      footer={
        <div className={styles.tools}>
          {images.length > 1 && (
            <>
              <Button icon="left" onClick={() => go(-1)}>
                上一张
              </Button>
              <Button icon="right" onClick={() => go(1)}>
                下一张
              </Button>
            </>
          )}
          <Button icon="minus" disabled={step === 0} onClick={() => size(step - 1)}>
            缩小
          </Button>
          <output aria-live="polite">{(SCALES[step] ?? 1) * 100}%</output>
          <Button icon="plus" disabled={step === SCALES.length - 1} onClick={() => size(step + 1)}>
            放大
          </Button>
        </div>
      }
    >
      <div
        className={styles.frame}
        role="region"
        aria-label="图片，方向键切换，加减键缩放"
        tabIndex={0}
        onKeyDown={press}
      >
        <img
          src={src}
          {...widths(src, '840px')}
          alt={name}
          {...(step === 0
            ? { className: styles.whole }
            : { style: { width: `${(SCALES[step] ?? 1) * 100}%` } })}
        />
      </div>
    </Dialog>
  )
}
