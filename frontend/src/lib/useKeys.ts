import { useLayoutEffect, useRef } from 'react'

const TYPING = 'input, textarea, select, [contenteditable="true"], [role="combobox"]'

/**
 * True if a key press is for the page: not in a field, not repeated, without Ctrl, Alt or Meta, and
 * with no dialog open.
 */
function isForPage({
  target,
  ctrlKey,
  metaKey,
  altKey,
  repeat,
  defaultPrevented,
}: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || repeat || defaultPrevented) return false
  if (target instanceof Element && target.closest(TYPING)) return false
  return !document.querySelector('dialog[open], [aria-modal="true"]')
}

/**
 * Bind single keys of a page, by their lower-case letter. A key without an action does nothing.
 * The keys work as soon as the buttons that name them are on the screen (layout effects).
 */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const current = useRef(keys)
  useLayoutEffect(() => {
    current.current = keys
  })
  useLayoutEffect(() => {
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
