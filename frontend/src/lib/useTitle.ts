import { useEffect } from 'react'
import { boot } from '@/lib/boot'

/** The title of a screen that names itself once its data is there. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = `${title} - ${boot.Brand.Name}`
  }, [title])
}
