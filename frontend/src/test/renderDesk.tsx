import type { RenderResult } from '@testing-library/react'
import type { ComponentType } from 'react'
import { DeskProvider } from '@/desk/DeskProvider'
import { renderAt } from '@/test/render'

/** `renderAt` for a screen of the user centre. */
export const renderDeskAt = (
  url: string,
  Component: ComponentType,
  path?: string,
): RenderResult & { location: () => string } =>
  renderAt(
    url,
    () => (
      <DeskProvider>
        <Component />
      </DeskProvider>
    ),
    path,
  )
