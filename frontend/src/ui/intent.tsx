import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'

/**
 * A component whose code is loaded at the first sign of use, with `ready()`. `waiting` shows until
 * then.
 */
export function onIntent<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  waiting: ReactNode = null,
): { Part: ComponentType<P>; ready: () => Promise<void> } {
  let there: ComponentType<P> | undefined
  const Later = lazy(load)
  return {
    Part: (props: P) => {
      // Loaded code renders at once; Suspense would delay it by up to 300 ms.
      const [Now] = useState(() => there)
      return Now ? (
        <Now {...props} />
      ) : (
        <Suspense fallback={waiting}>
          <Later {...props} />
        </Suspense>
      )
    },
    // A failed preload is repeated when the component is shown, and reported then.
    ready: () =>
      load().then(
        (part) => {
          there = part.default
          return undefined
        },
        () => undefined,
      ),
  }
}
