import { lazy, Suspense } from 'react'

const Content = lazy(() => import(/* webpackChunkName: "footer" */ './FooterContent'))

/** The foot of the page. It is below the window until the page has its content, so it loads later. */
export const Footer = () => (
  <Suspense>
    <Content />
  </Suspense>
)
