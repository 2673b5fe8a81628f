import { expect, test } from 'vitest'
import { widths } from './srcset'

test('a photo of this site is asked for in the width it is shown in', () => {
  expect(widths('/media/content/a.png', '900px')).toEqual({
    srcSet:
      '/media/content/a.png.400.webp 400w, /media/content/a.png.800.webp 800w, /media/content/a.png.1600.webp 1600w',
    sizes: '900px',
  })
})

test('a drawing, and a picture from elsewhere, is asked for as it is', () => {
  expect([
    widths('/media/products/1.svg', '240px'),
    widths('https://a.example/media/1.png', '240px'),
  ]).toEqual([{}, {}])
})
