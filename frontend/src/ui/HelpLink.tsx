import type { ReactNode } from 'react'

/** A small link to a help page. It opens a new tab, so that a form keeps its values. */
export const HelpLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <a className="help-link" href={to} target="_blank" rel="noreferrer">
    {children}
  </a>
)
