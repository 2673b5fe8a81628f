const pushCurrent = (): void =>
  window.history.pushState(window.history.state, '', window.location.href)

let isStaying = false

// Registered before the router, which would start a navigation: popstate calls its listeners in
// order.
window.addEventListener('popstate', (event) => {
  if (!isStaying) return
  event.stopImmediatePropagation()
  pushCurrent()
})

/** Run `work`. Until it ends, the browser's back button stays on this page. */
export async function withoutGoingBack<T>(work: () => Promise<T>): Promise<T> {
  pushCurrent()
  isStaying = true
  try {
    return await work()
  } finally {
    isStaying = false
  }
}

/**
 * Wait after leaving for another site. Resolves when the browser shows this page again unchanged.
 */
export const waitForReturn = (): Promise<void> =>
  new Promise((resolve) => {
    window.addEventListener('pageshow', (event) => {
      if (event.persisted) resolve()
    })
  })
