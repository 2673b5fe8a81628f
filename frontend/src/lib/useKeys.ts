import { useEffect, useRef } from 'react'

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="combobox"]'

/** Whether a key is meant for the page: not typed into a field, not held, without Ctrl and its like, and nothing open above the page. */
function isForPage({ target, ctrlKey, metaKey, altKey, repeat, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || repeat || defaultPrevented) return false
  if (target instanceof Element && target.closest(TYPING)) return false
  return !document.querySelector('dialog[open], [aria-modal="true"]')
}

/** Single keys of a page, by their lower-case letter; one whose action is missing does nothing. */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const act = isForPage(event) ? current.current[event.key.toLowerCase()] : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
