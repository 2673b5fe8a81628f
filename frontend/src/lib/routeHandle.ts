import { useMatches } from 'react-router-dom'

/** What a route tells the frames around its screen. */
export interface RouteHandle {
  /** Null if the screen sets its own title. */
  title: string | null
  /** Whether the left menu, or the navigation, is hidden. */
  isMenuHidden: boolean
}

/** Return the handles of the matched routes, the outermost first. */
export const useRouteHandles = (): RouteHandle[] =>
  useMatches().flatMap(({ handle }) => (handle ? [handle as RouteHandle] : []))
