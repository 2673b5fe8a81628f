import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { createBrowserRouter, type LoaderFunction, type RouteObject } from 'react-router-dom'
import { ShopLayout } from '@/layouts/shop'
import { globalQuery } from './globalQuery'
import { Failure } from './Failure'
import { requireLogin } from './guards'
import { Opening, Root } from './Root'

interface Screen {
  Component: ComponentType
  /** Prefetches; the screen renders its own loading state. */
  loader?: (client: QueryClient) => LoaderFunction
}

interface Row {
  path: string
  /** Null where the screen names itself (a product's page). */
  title: string | null
  layout: 'default' | 'plain' | 'shop' | 'userCenter' | 'auth' | 'bare'
  load: () => Promise<Screen>
  login?: true
  /** The left menu, or the navigation, is hidden. */
  menuHidden?: true
}

/**
 * Every address, one line each: the build reads path, layout and chunk from it (`build/chunkGroups.js`), so a row stays on one line.
 * Order counts: literal addresses before `/:code.html`, which would swallow them.
 */
const ROWS: readonly Row[] = [
  { path: '/', title: '首页', layout: 'default', load: () => import(/* webpackChunkName: "home" */ '@/pages/home') },
  { path: '/cleanCookie', title: '首页', layout: 'default', load: () => import(/* webpackChunkName: "home" */ '@/pages/home') },
  { path: '/index', title: '首页', layout: 'default', load: () => import(/* webpackChunkName: "home" */ '@/pages/home') },
  { path: '/home/index', title: '首页', layout: 'default', load: () => import(/* webpackChunkName: "home" */ '@/pages/home') },
  { path: '/home/index.html', title: '首页', layout: 'default', load: () => import(/* webpackChunkName: "home" */ '@/pages/home') },
  { path: '/index.html', title: '首页', layout: 'default', load: () => import(/* webpackChunkName: "home" */ '@/pages/home') },
  { path: '/login', title: '登录', layout: 'auth', load: () => import(/* webpackChunkName: "login" */ '@/pages/login') },
  { path: '/resetPassword', title: '重置密码', layout: 'auth', load: () => import(/* webpackChunkName: "resetPassword" */ '@/pages/resetPassword') },
  { path: '/wechat-work-auth', title: '企业微信登录', layout: 'auth', load: () => import(/* webpackChunkName: "wechatWorkAuth" */ '@/pages/wechatWorkAuth') },
  { path: '/robotVerify', title: '安全验证', layout: 'bare', load: () => import(/* webpackChunkName: "robotVerify" */ '@/pages/robotVerify') },
  { path: '/test/token', title: '令牌测试', layout: 'default', load: () => import(/* webpackChunkName: "test" */ '@/pages/test/token') },
  { path: '/test/cookie', title: 'Cookie 测试', layout: 'default', load: () => import(/* webpackChunkName: "test" */ '@/pages/test/cookie') },
  { path: '/product/index', title: null, layout: 'default', load: () => import(/* webpackChunkName: "product-index" */ '@/pages/product/index') },
  { path: '/product/detail', title: null, layout: 'plain', load: () => import(/* webpackChunkName: "product-detail" */ '@/pages/product/detail') },
  { path: '/:code.html', title: null, layout: 'default', load: () => import(/* webpackChunkName: "product-detail" */ '@/pages/product/detail') },
  { path: '/about/licence', title: '营业执照', layout: 'default', load: () => import(/* webpackChunkName: "licence" */ '@/pages/about/licence') },
  { path: '/shop/cart', title: '我的购物车', layout: 'shop', login: true, load: () => import(/* webpackChunkName: "cart" */ '@/pages/shop/cart') },
  { path: '/shop/submit', title: '填写核对订单', layout: 'shop', login: true, load: () => import(/* webpackChunkName: "submit" */ '@/pages/shop/submit') },
  { path: '/shop/state', title: '订单提交成功', layout: 'shop', login: true, load: () => import(/* webpackChunkName: "state" */ '@/pages/shop/state') },
  { path: '/userCenter/index', title: '我的工作台', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "workbench" */ '@/pages/userCenter/index') },
  { path: '/userCenter/order/approval', title: '订单审批', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "approval" */ '@/pages/userCenter/order/approval') },
  { path: '/userCenter/order/approval/:id', title: '订单审批', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "approval" */ '@/pages/userCenter/order/approval') },
  { path: '/userCenter/order/index', title: '我的订单', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "orders" */ '@/pages/userCenter/order/index') },
  { path: '/userCenter/order/detail', title: '订单详情', layout: 'userCenter', login: true, menuHidden: true, load: () => import(/* webpackChunkName: "order" */ '@/pages/userCenter/order/detail') },
  { path: '/help/detail', title: null, layout: 'default', load: () => import(/* webpackChunkName: "help" */ '@/pages/help/detail') },
  { path: '/help/detail/:number', title: null, layout: 'default', load: () => import(/* webpackChunkName: "help" */ '@/pages/help/detail') },
  { path: '/about/BizCustom', title: '企业定制', layout: 'default', load: () => import(/* webpackChunkName: "about" */ '@/pages/about') },
  { path: '/about/kpinfo', title: '开票与收款信息', layout: 'default', load: () => import(/* webpackChunkName: "about" */ '@/pages/about') },
  { path: '*', title: '页面不存在', layout: 'default', load: () => import(/* webpackChunkName: "notFound" */ '@/pages/notFound') },
]

function routeOf(client: QueryClient, row: Row): RouteObject {
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

const authLayout = () => import(/* webpackChunkName: "layout-auth" */ '@/layouts/auth')
const defaultLayout = () => import(/* webpackChunkName: "layout-default" */ '@/layouts/default')
const userCenterLayout = () => import(/* webpackChunkName: "layout-userCenter" */ '@/layouts/userCenter')

export function routes(client: QueryClient): RouteObject[] {
  const rows = (layout: Row['layout']): RouteObject[] => ROWS.filter((row) => row.layout === layout).map((row) => routeOf(client, row))
  return [
    {
      Component: Root,
      ErrorBoundary: Failure,
      HydrateFallback: Opening,
      middleware: [globalQuery],
      children: [
        { lazy: authLayout, children: rows('auth') },
        { children: rows('bare') },
        { Component: ShopLayout, children: rows('shop') },
        { lazy: userCenterLayout, children: rows('userCenter') },
        { lazy: async () => ({ Component: (await defaultLayout()).PlainLayout }), children: rows('plain') },
        { lazy: async () => ({ Component: (await defaultLayout()).DefaultLayout }), children: rows('default') },
      ],
    },
  ]
}

export const makeRouter = (client: QueryClient) => createBrowserRouter(routes(client))
