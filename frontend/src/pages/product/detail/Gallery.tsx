import { useState, type MouseEvent } from 'react'
import { onIntent } from '@/ui/intent'
import { ProductImage } from '@/ui/ProductImage'
import styles from './detail.module.css'

const Zoom = onIntent(() => import(/* webpackChunkName: "product-zoom" */ './Zoom'))

/**
 * The pictures. The pointer magnifies them. A dialog shows them large and supports the keyboard.
 */
export function Gallery({ images, name }: { images: readonly string[]; name: string }) {
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState(false)
  const [origin, setOrigin] = useState<string | undefined>()
  const follow = (event: MouseEvent<HTMLElement>): void => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    setOrigin(
      `${(((event.clientX - left) / width) * 100).toFixed(1)}% ${(((event.clientY - top) / height) * 100).toFixed(1)}%`,
    )
  }
  return (
    <div className={styles.gallery}>
      <button
        type="button"
        className={styles.main}
        aria-label={`放大查看${name}`}
        disabled={!images[at]}
        onFocus={Zoom.ready}
        onMouseEnter={Zoom.ready}
        onMouseMove={follow}
        onMouseLeave={() => setOrigin(undefined)}
        onClick={() => setOpen(true)}
      >
        <span style={origin ? { transform: 'scale(2)', transformOrigin: origin } : undefined}>
          <ProductImage key={images[at]} src={images[at]} alt={name} eager />
        </span>
      </button>
      {images.length > 1 && (
        <div className={styles.thumbs}>
          {images.map((image, index) => (
            <button
              key={image}
              type="button"
              aria-label={`第 ${index + 1} 张图片`}
              aria-pressed={index === at}
              onClick={() => setAt(index)}
              onMouseEnter={() => setAt(index)}
            >
              <ProductImage src={image} alt="" />
            </button>
          ))}
        </div>
      )}
      {open && (
        <Zoom.Part
          images={images}
          name={name}
          at={at}
          onAt={setAt}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
