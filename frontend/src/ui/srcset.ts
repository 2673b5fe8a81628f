/** The widths in which the server keeps photos (apps/common/files/variants.py). */
const WIDTHS = [400, 800, 1600]
const PHOTO = /^\/media\/.+\.(png|jpe?g|webp)$/i

/**
 * The `srcset` of a photo for an `img` with the given `sizes`. Empty for a drawing, which scales to
 * every width.
 */
export const widths = (src: string, size: string): { srcSet?: string; sizes?: string } =>
  PHOTO.test(src)
    ? { srcSet: WIDTHS.map((width) => `${src}.${width}.webp ${width}w`).join(', '), sizes: size }
    : {}
