import { useState } from 'react'
import { Icon } from './Icon'
import styles from './ProductCard.module.css'
import { widths } from './srcset'

/** A product picture in a fixed square, or a placeholder. */
export function ProductImage({
  src,
  alt,
  eager = false,
}: {
  src: string | null | undefined
  alt: string
  eager?: boolean
}) {
  const [isBroken, setBroken] = useState(false)
  return (
    <span className={styles.image}>
      {src && !isBroken ? (
        <img
          src={src}
          {...widths(src, '240px')}
          alt={alt}
          width={240}
          height={240}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : 'auto'}
          decoding="async"
          onError={() => setBroken(true)}
        />
      ) : (
        <Icon name="box" size={40} label={alt} />
      )}
    </span>
  )
}
