import { lazy, Suspense, useState, type ComponentType } from 'react'

/** A part of the page whose code is fetched when somebody is about to want it: `ready()` on the first sign of that, kept once the code is there. */
export function onIntent<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): { Part: ComponentType<P>; ready: () => Promise<void> } {
  let there: ComponentType<P> | undefined
  const Later = lazy(load)
  return {
    Part: (props: P) => {
      // Code that is there is shown at once: React holds back what was waited for by up to 300 ms.
      const [Now] = useState(() => there)
      return Now ? (
        <Now {...props} />
      ) : (
        <Suspense fallback={null}>
          <Later {...props} />
        </Suspense>
      )
    },
    // What could not be fetched now is asked for again, and reported, when it is shown.
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
