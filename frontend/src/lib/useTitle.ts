import { useEffect } from 'react'
import { boot } from '@/lib/boot'

/** The title of a screen that depends on its data. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} - ${boot.Brand.Name}`
  }, [title])
}
