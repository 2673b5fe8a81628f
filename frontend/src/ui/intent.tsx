import { lazy, Suspense, type ComponentType } from 'react'

/** A part of the page whose code is fetched when somebody is about to want it: `ready()` on the first sign of that. */
export function onIntent<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): { Part: ComponentType<P>; ready: () => void } {
  const Part = lazy(load)
  return {
    Part: (props: P) => (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    ),
    // What could not be fetched now is asked for again, and reported, when it is shown.
    ready: () => void load().catch(() => undefined),
  }
}
