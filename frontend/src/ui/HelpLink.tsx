import type { ReactNode } from 'react'

/** A small link to a page that explains; what is being filled in stays where it is. */
export const HelpLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <a className="help-link" href={to} target="_blank" rel="noreferrer">
    {children}
  </a>
)
