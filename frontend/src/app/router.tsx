import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { createBrowserRouter, type LoaderFunction, type RouteObject } from 'react-router-dom'
import { globalQuery } from './globalQuery'
import { LateFailure } from './LateFailure'
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
  { path: '/mailLink', title: '打开邮件链接', layout: 'auth', load: () => import(/* webpackChunkName: "wechatWorkAuth" */ '@/pages/mailLink') },
  { path: '/robotVerify', title: '安全验证', layout: 'bare', load: () => import(/* webpackChunkName: "robotVerify" */ '@/pages/robotVerify') },
  { path: '/test/token', title: '令牌测试', layout: 'default', load: () => import(/* webpackChunkName: "test" */ '@/pages/test/token') },
  { path: '/test/cookie', title: 'Cookie 测试', layout: 'default', load: () => import(/* webpackChunkName: "test" */ '@/pages/test/cookie') },
  { path: '/product/index', title: null, layout: 'default', load: () => import(/* webpackChunkName: "product-index" */ '@/pages/product/index') },
  { path: '/product/compare', title: '商品对比', layout: 'default', load: () => import(/* webpackChunkName: "product-compare" */ '@/pages/product/compare') },
  { path: '/product/rank', title: '企业排行', layout: 'default', login: true, load: () => import(/* webpackChunkName: "product-rank" */ '@/pages/product/rank') },
  { path: '/product/detail', title: null, layout: 'plain', load: () => import(/* webpackChunkName: "product-detail" */ '@/pages/product/detail') },
  { path: '/product/select', title: '一键选品', layout: 'default', login: true, load: () => import(/* webpackChunkName: "product-select" */ '@/pages/product/select') },
  { path: '/product/QuickOrder', title: '快速下单', layout: 'default', login: true, load: () => import(/* webpackChunkName: "quickOrder" */ '@/pages/product/QuickOrder') },
  { path: '/:code.html', title: null, layout: 'default', load: () => import(/* webpackChunkName: "product-detail" */ '@/pages/product/detail') },
  { path: '/deepseek', title: 'AI 采购助手', layout: 'plain', login: true, load: () => import(/* webpackChunkName: "deepseek" */ '@/pages/deepseek') },
  { path: '/about/licence', title: '营业执照', layout: 'default', load: () => import(/* webpackChunkName: "about" */ '@/pages/about/licence') },
  { path: '/shop/cart', title: '我的购物车', layout: 'shop', login: true, load: () => import(/* webpackChunkName: "cart" */ '@/pages/shop/cart') },
  { path: '/shop/submit', title: '填写核对订单', layout: 'shop', login: true, load: () => import(/* webpackChunkName: "submit" */ '@/pages/shop/submit') },
  { path: '/shop/state', title: '订单提交成功', layout: 'shop', login: true, load: () => import(/* webpackChunkName: "state" */ '@/pages/shop/state') },
  { path: '/userCenter/index', title: '我的工作台', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "workbench" */ '@/pages/userCenter/index') },
  { path: '/userCenter/order/approval', title: '订单审批', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "approval" */ '@/pages/userCenter/order/approval') },
  { path: '/userCenter/order/approval/:id', title: '订单审批', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "approval" */ '@/pages/userCenter/order/approval') },
  { path: '/userCenter/management/approval', title: '审批规则', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "approvalRules" */ '@/pages/userCenter/management/approval') },
  { path: '/userCenter/order/index', title: '我的订单', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "orders" */ '@/pages/userCenter/order/index') },
  { path: '/userCenter/management/address', title: '收货地址', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "address" */ '@/pages/userCenter/management/address') },
  { path: '/userCenter/user/account', title: '个人信息', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "account" */ '@/pages/userCenter/user/account') },
  { path: '/userCenter/user/password', title: '修改密码', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "account" */ '@/pages/userCenter/user/password') },
  { path: '/userCenter/management/account', title: '账号管理', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "accounts" */ '@/pages/userCenter/management/account') },
  { path: '/userCenter/management/role', title: '角色管理', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "roles" */ '@/pages/userCenter/management/role') },
  { path: '/userCenter/user/favorite', title: '我的收藏', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "favorite" */ '@/pages/userCenter/user/favorite') },
  { path: '/userCenter/user/browse', title: '浏览历史', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "favorite" */ '@/pages/userCenter/user/browse') },
  { path: '/userCenter/user/notice', title: '消息通知', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "notices" */ '@/pages/userCenter/user/notice') },
  { path: '/userCenter/order/detail', title: '订单详情', layout: 'userCenter', login: true, menuHidden: true, load: () => import(/* webpackChunkName: "order" */ '@/pages/userCenter/order/detail') },
  { path: '/userCenter/order/productInquiry', title: '意向商品询价', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "inquiries" */ '@/pages/userCenter/order/productInquiry/index') },
  { path: '/userCenter/order/productInquiry/apply', title: '发起询价', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "inquiryApply" */ '@/pages/userCenter/order/productInquiry/apply') },
  { path: '/userCenter/order/productInquiry/:no', title: '询价单详情', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "inquiry" */ '@/pages/userCenter/order/productInquiry/detail') },
  { path: '/userCenter/asset/budget', title: '预算余额', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "budget" */ '@/pages/userCenter/asset/budget') },
  { path: '/userCenter/management/department', title: '部门管理', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "department" */ '@/pages/userCenter/management/department') },
  { path: '/userCenter/management/group', title: '集团管理', layout: 'userCenter', login: true, load: () => import(/* webpackChunkName: "group" */ '@/pages/userCenter/management/group') },
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
const shopLayout = () => import(/* webpackChunkName: "layout-shop" */ '@/layouts/shop')
const userCenterLayout = () => import(/* webpackChunkName: "layout-userCenter" */ '@/layouts/userCenter')

export function routes(client: QueryClient): RouteObject[] {
  const rows = (layout: Row['layout']): RouteObject[] => ROWS.filter((row) => row.layout === layout).map((row) => routeOf(client, row))
  return [
    {
      Component: Root,
      ErrorBoundary: LateFailure,
      HydrateFallback: Opening,
      middleware: [globalQuery],
      children: [
        { lazy: authLayout, children: rows('auth') },
        { children: rows('bare') },
        { lazy: async () => ({ Component: (await shopLayout()).ShopLayout }), children: rows('shop') },
        { lazy: userCenterLayout, children: rows('userCenter') },
        { lazy: async () => ({ Component: (await defaultLayout()).PlainLayout }), children: rows('plain') },
        { lazy: async () => ({ Component: (await defaultLayout()).DefaultLayout }), children: rows('default') },
      ],
    },
  ]
}

export const makeRouter = (client: QueryClient) => createBrowserRouter(routes(client))
