import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { LoaderFunction, RouteObject } from 'react-router-dom'
import type { RouteHandle } from '@/lib/routeHandle'
import { requireLogin } from './guards'

interface Screen {
  Component: ComponentType
  /** Prefetch data. The screen renders its own loading state. */
  loader?: (client: QueryClient) => LoaderFunction
}

/** An address and its screen. */
export interface Row {
  path: string
  /** Null if the screen sets its own title (a product page). */
  title: string | null
  layout: 'default' | 'plain' | 'shop' | 'userCenter' | 'auth' | 'bare'
  load: () => Promise<Screen>
  login?: true
  /** The left menu, or the navigation, is hidden. */
  isMenuHidden?: true
}

/** Convert a row to a route. The screen's code loads on the first navigation to it. */
export function getRoute(client: QueryClient, row: Row): RouteObject {
  return {
    path: row.path,
    handle: {
      title: row.title,
      isMenuHidden: row.isMenuHidden ?? false,
    } satisfies RouteHandle,
    lazy: async () => {
      const { Component, loader } = await row.load()
      return {
        Component,
        loader: (args) => {
          if (row.login) requireLogin(args.request.url)
          return loader?.(client)(args) ?? null
        },
      }
    },
  }
}
