import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { LoaderFunction, RouteObject } from 'react-router-dom'
import { requireLogin } from './guards'

interface Screen {
  Component: ComponentType
  /** Prefetches; the screen renders its own loading state. */
  loader?: (client: QueryClient) => LoaderFunction
}

/** An address and its screen. */
export interface Row {
  path: string
  /** Null where the screen names itself (a product's page). */
  title: string | null
  layout: 'default' | 'plain' | 'shop' | 'userCenter' | 'auth' | 'bare'
  load: () => Promise<Screen>
  login?: true
  /** The left menu, or the navigation, is hidden. */
  menuHidden?: true
}

/** A row as the router knows it: its screen comes when it is first gone to. */
export function routeOf(client: QueryClient, row: Row): RouteObject {
  return {
    path: row.path,
    handle: { title: row.title, menuHidden: row.menuHidden },
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
