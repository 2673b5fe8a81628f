import { useState } from 'react'
import { ProductImage } from '@/ui/ProductImage'
import styles from './detail.module.css'

export function Gallery({ images, name }: { images: readonly string[]; name: string }) {
  const [at, setAt] = useState(0)
  return (
    <div>
      <ProductImage key={images[at]} src={images[at]} alt={name} eager />
      {images.length > 1 && (
        <div className={styles.thumbs}>
          {images.map((image, index) => (
            <button key={image} type="button" aria-label={`第 ${index + 1} 张图片`} aria-pressed={index === at} onClick={() => setAt(index)} onMouseEnter={() => setAt(index)}>
              <ProductImage src={image} alt="" />
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
