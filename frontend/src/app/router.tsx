import type { QueryClient } from '@tanstack/react-query'
import {
  createBrowserRouter,
  type PatchRoutesOnNavigationFunction,
  type RouteObject,
} from 'react-router-dom'
import { globalQuery } from './globalQuery'
import { LateFailure } from './LateFailure'
import { Opening, Root } from './Root'
import { getRoute, type Row } from './rows'

/**
 * Every address outside the user centre (see `userCenterRows.tsx` for those). The build reads
 * path, layout and chunk from these rows (`build/chunkGroups.js`).
 * The order matters: literal addresses come before `/:code.html`, which would match them.
 */
const ROWS: readonly Row[] = [
  {
    path: '/',
    title: '首页',
    layout: 'default',
    load: () => import(/* webpackChunkName: "home" */ '@/pages/home'),
  },
  {
    path: '/cleanCookie',
    title: '首页',
    layout: 'default',
    load: () => import(/* webpackChunkName: "home" */ '@/pages/home'),
  },
  {
    path: '/index',
    title: '首页',
    layout: 'default',
    load: () => import(/* webpackChunkName: "home" */ '@/pages/home'),
  },
  {
    path: '/home/index',
    title: '首页',
    layout: 'default',
    load: () => import(/* webpackChunkName: "home" */ '@/pages/home'),
  },
  {
    path: '/home/index.html',
    title: '首页',
    layout: 'default',
    load: () => import(/* webpackChunkName: "home" */ '@/pages/home'),
  },
  {
    path: '/index.html',
    title: '首页',
    layout: 'default',
    load: () => import(/* webpackChunkName: "home" */ '@/pages/home'),
  },
  {
    path: '/login',
    title: '登录',
    layout: 'auth',
    load: () => import(/* webpackChunkName: "login" */ '@/pages/login'),
  },
  {
    path: '/resetPassword',
    title: '重置密码',
    layout: 'auth',
    load: () => import(/* webpackChunkName: "resetPassword" */ '@/pages/resetPassword'),
  },
  {
    path: '/wechat-work-auth',
    title: '企业微信登录',
    layout: 'auth',
    load: () => import(/* webpackChunkName: "wechatWorkAuth" */ '@/pages/wechatWorkAuth'),
  },
  {
    path: '/mailLink',
    title: '打开邮件链接',
    layout: 'auth',
    load: () => import(/* webpackChunkName: "wechatWorkAuth" */ '@/pages/mailLink'),
  },
  {
    path: '/reportMail',
    title: '退订报表邮件',
    layout: 'auth',
    load: () => import(/* webpackChunkName: "wechatWorkAuth" */ '@/pages/reportMail'),
  },
  {
    path: '/contactUndo',
    title: '撤销更换联系方式',
    layout: 'auth',
    load: () => import(/* webpackChunkName: "wechatWorkAuth" */ '@/pages/contactUndo'),
  },
  {
    path: '/robotVerify',
    title: '安全验证',
    layout: 'bare',
    load: () => import(/* webpackChunkName: "robotVerify" */ '@/pages/robotVerify'),
  },
  {
    path: '/test/token',
    title: '令牌测试',
    layout: 'default',
    load: () => import(/* webpackChunkName: "test" */ '@/pages/test/token'),
  },
  {
    path: '/test/cookie',
    title: 'Cookie 测试',
    layout: 'default',
    load: () => import(/* webpackChunkName: "test" */ '@/pages/test/cookie'),
  },
  {
    path: '/product/index',
    title: null,
    layout: 'default',
    load: () => import(/* webpackChunkName: "product-index" */ '@/pages/product/index'),
  },
  {
    path: '/product/compare',
    title: '商品对比',
    layout: 'default',
    load: () => import(/* webpackChunkName: "product-compare" */ '@/pages/product/compare'),
  },
  {
    path: '/product/finder',
    title: '耗材查找',
    layout: 'default',
    load: () => import(/* webpackChunkName: "product-finder" */ '@/pages/product/finder'),
  },
  {
    path: '/product/rank',
    title: '企业排行',
    layout: 'default',
    login: true,
    load: () => import(/* webpackChunkName: "product-rank" */ '@/pages/product/rank'),
  },
  {
    path: '/product/detail',
    title: null,
    layout: 'plain',
    load: () => import(/* webpackChunkName: "product-detail" */ '@/pages/product/detail'),
  },
  {
    path: '/product/select',
    title: '一键选品',
    layout: 'default',
    login: true,
    load: () => import(/* webpackChunkName: "product-select" */ '@/pages/product/select'),
  },
  {
    path: '/product/QuickOrder',
    title: '快速下单',
    layout: 'default',
    login: true,
    load: () => import(/* webpackChunkName: "quickOrder" */ '@/pages/product/QuickOrder'),
  },
  {
    path: '/:code.html',
    title: null,
    layout: 'default',
    load: () => import(/* webpackChunkName: "product-detail" */ '@/pages/product/detail'),
  },
  {
    path: '/deepseek',
    title: 'AI 采购助手',
    layout: 'plain',
    login: true,
    load: () => import(/* webpackChunkName: "deepseek" */ '@/pages/deepseek'),
  },
  {
    path: '/about/licence',
    title: '营业执照',
    layout: 'default',
    load: () => import(/* webpackChunkName: "about" */ '@/pages/about/licence'),
  },
  {
    path: '/shop/cart',
    title: '我的购物车',
    layout: 'shop',
    login: true,
    load: () => import(/* webpackChunkName: "cart" */ '@/pages/shop/cart'),
  },
  {
    path: '/shop/submit',
    title: '填写核对订单',
    layout: 'shop',
    login: true,
    load: () => import(/* webpackChunkName: "submit" */ '@/pages/shop/submit'),
  },
  {
    path: '/shop/state',
    title: '订单提交成功',
    layout: 'shop',
    login: true,
    load: () => import(/* webpackChunkName: "state" */ '@/pages/shop/state'),
  },
  {
    path: '/help/detail',
    title: null,
    layout: 'default',
    load: () => import(/* webpackChunkName: "help" */ '@/pages/help/detail'),
  },
  {
    path: '/help/detail/:number',
    title: null,
    layout: 'default',
    load: () => import(/* webpackChunkName: "help" */ '@/pages/help/detail'),
  },
  {
    path: '/about/BizCustom',
    title: '企业定制',
    layout: 'default',
    load: () => import(/* webpackChunkName: "about" */ '@/pages/about'),
  },
  {
    path: '/about/kpinfo',
    title: '开票与收款信息',
    layout: 'default',
    load: () => import(/* webpackChunkName: "about" */ '@/pages/about'),
  },
  {
    path: '*',
    title: '页面不存在',
    layout: 'default',
    load: () => import(/* webpackChunkName: "notFound" */ '@/pages/notFound'),
  },
]

const authLayout = () => import(/* webpackChunkName: "layout-auth" */ '@/layouts/auth')
const defaultLayout = () => import(/* webpackChunkName: "layout-default" */ '@/layouts/default')
const shopLayout = () => import(/* webpackChunkName: "layout-shop" */ '@/layouts/shop')
const userCenterRows = () => import(/* webpackChunkName: "layout-userCenter" */ './userCenterRows')

const ROOT = 'root'

function routes(client: QueryClient): RouteObject[] {
  const rows = (layout: Row['layout']): RouteObject[] =>
    ROWS.filter((row) => row.layout === layout).map((row) => getRoute(client, row))
  return [
    {
      id: ROOT,
      Component: Root,
      ErrorBoundary: LateFailure,
      HydrateFallback: Opening,
      middleware: [globalQuery],
      children: [
        { lazy: authLayout, children: rows('auth') },
        { children: rows('bare') },
        {
          lazy: async () => ({ Component: (await shopLayout()).ShopLayout }),
          children: rows('shop'),
        },
        {
          lazy: async () => ({ Component: (await defaultLayout()).PlainLayout }),
          children: rows('plain'),
        },
        {
          lazy: async () => ({ Component: (await defaultLayout()).DefaultLayout }),
          children: rows('default'),
        },
      ],
    },
  ]
}

/**
 * Return the function that the router calls for unknown addresses. It loads and adds the routes of
 * the user centre on the first navigation to one of them.
 */
function createUserCenterPatcher(client: QueryClient): PatchRoutesOnNavigationFunction {
  let isAdded = false
  return async ({ path, patch, signal }) => {
    if (isAdded || !path.toLowerCase().startsWith('/usercenter')) return
    const { userCenterRoutes } = await userCenterRows()
    // Skip an aborted navigation, and one that another navigation overtook.
    if (isAdded || signal.aborted) return
    isAdded = true
    patch(ROOT, userCenterRoutes(client))
  }
}

export const makeRouter = (client: QueryClient) =>
  createBrowserRouter(routes(client), { patchRoutesOnNavigation: createUserCenterPatcher(client) })
