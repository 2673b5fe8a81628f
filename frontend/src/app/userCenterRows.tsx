import type { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router-dom'
import { Component } from '@/layouts/userCenter'
import { getRoute, type Row } from './rows'

/**
 * Every address of the user centre, as in `router.tsx`. They load with the user centre's layout,
 * so that a page of the
 * shop does not contain them.
 */
const ROWS: readonly Row[] = [
  {
    path: '/userCenter/index',
    title: '我的工作台',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "workbench" */ '@/pages/userCenter/index'),
  },
  {
    path: '/userCenter/order/approval',
    title: '订单审批',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "approval" */ '@/pages/userCenter/order/approval'),
  },
  {
    path: '/userCenter/order/approval/:id',
    title: '订单审批',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "approval" */ '@/pages/userCenter/order/approval'),
  },
  {
    path: '/userCenter/management/approval',
    title: '审批规则',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "approvalRules" */ '@/pages/userCenter/management/approval'),
  },
  {
    path: '/userCenter/order/index',
    title: '我的订单',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "orders" */ '@/pages/userCenter/order/index'),
  },
  {
    path: '/userCenter/management/address',
    title: '收货地址',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "address" */ '@/pages/userCenter/management/address'),
  },
  {
    path: '/userCenter/user/account',
    title: '个人信息',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "account" */ '@/pages/userCenter/user/account'),
  },
  {
    path: '/userCenter/user/password',
    title: '修改密码',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "account" */ '@/pages/userCenter/user/password'),
  },
  {
    path: '/userCenter/management/account',
    title: '账号管理',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "accounts" */ '@/pages/userCenter/management/account'),
  },
  {
    path: '/userCenter/management/role',
    title: '角色管理',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "roles" */ '@/pages/userCenter/management/role'),
  },
  {
    path: '/userCenter/user/favorite',
    title: '我的收藏',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "favorite" */ '@/pages/userCenter/user/favorite'),
  },
  {
    path: '/userCenter/user/browse',
    title: '浏览历史',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "favorite" */ '@/pages/userCenter/user/browse'),
  },
  {
    path: '/userCenter/user/reminder',
    title: '到货提醒',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "favorite" */ '@/pages/userCenter/user/reminder'),
  },
  {
    path: '/userCenter/user/question',
    title: '我的提问',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "questions" */ '@/pages/userCenter/user/question'),
  },
  {
    path: '/userCenter/user/notice',
    title: '消息通知',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "notices" */ '@/pages/userCenter/user/notice'),
  },
  {
    path: '/userCenter/order/detail',
    title: '订单详情',
    layout: 'userCenter',
    login: true,
    isMenuHidden: true,
    load: () => import(/* webpackChunkName: "order" */ '@/pages/userCenter/order/detail'),
  },
  {
    path: '/userCenter/order/review/:id',
    title: '评价商品',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "review" */ '@/pages/userCenter/order/review'),
  },
  {
    path: '/userCenter/order/cancelSales',
    title: '取消订单',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "cancels" */ '@/pages/userCenter/order/cancelSales/index'),
  },
  {
    path: '/userCenter/order/cancelSales/apply',
    title: '申请取消',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "cancelApply" */ '@/pages/userCenter/order/cancelSales/apply'),
  },
  {
    path: '/userCenter/order/cancelSales/:id',
    title: '取消详情',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "cancel" */ '@/pages/userCenter/order/cancelSales/detail'),
  },
  {
    path: '/userCenter/order/requisition',
    title: '采购申请',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "requisitions" */ '@/pages/userCenter/order/requisition'),
  },
  {
    path: '/userCenter/order/recurring',
    title: '定期采购',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "recurring" */ '@/pages/userCenter/order/recurring'),
  },
  {
    path: '/userCenter/order/recurring/new',
    title: '设为定期采购',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "recurringNew" */ '@/pages/userCenter/order/recurring/new'),
  },
  {
    path: '/userCenter/order/recurring/:id/edit',
    title: '修改定期采购',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "recurringEdit" */ '@/pages/userCenter/order/recurring/edit'),
  },
  {
    path: '/userCenter/order/recurring/:id',
    title: '定期采购详情',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "recurringDetail" */ '@/pages/userCenter/order/recurring/detail'),
  },
  {
    path: '/userCenter/order/quickList',
    title: '采购清单',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "quickLists" */ '@/pages/userCenter/order/quickList'),
  },
  {
    path: '/userCenter/order/quickList/:id',
    title: '采购清单详情',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "quickList" */ '@/pages/userCenter/order/quickList/detail'),
  },
  {
    path: '/userCenter/order/quotation',
    title: '报价单',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "quotations" */ '@/pages/userCenter/order/quotation'),
  },
  {
    path: '/userCenter/order/quotation/:no',
    title: '报价单详情',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "quotation" */ '@/pages/userCenter/order/quotation/detail'),
  },
  {
    path: '/userCenter/order/productInquiry',
    title: '意向商品询价',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "inquiries" */ '@/pages/userCenter/order/productInquiry/index'),
  },
  {
    path: '/userCenter/order/productInquiry/apply',
    title: '发起询价',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(
        /* webpackChunkName: "inquiryApply" */ '@/pages/userCenter/order/productInquiry/apply'
      ),
  },
  {
    path: '/userCenter/order/productInquiry/:no',
    title: '询价单详情',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "inquiry" */ '@/pages/userCenter/order/productInquiry/detail'),
  },
  {
    path: '/userCenter/order/afterSales',
    title: '退换货',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "returns" */ '@/pages/userCenter/order/afterSales/index'),
  },
  {
    path: '/userCenter/order/afterSales/apply',
    title: '申请售后',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "returnApply" */ '@/pages/userCenter/order/afterSales/apply'),
  },
  {
    path: '/userCenter/order/afterSales/:no',
    title: '售后单详情',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "return" */ '@/pages/userCenter/order/afterSales/detail'),
  },
  {
    path: '/userCenter/report/order',
    title: '订单报表',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "report" */ '@/pages/userCenter/report/order'),
  },
  {
    path: '/userCenter/report/orderDetail',
    title: '订单明细报表',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "report" */ '@/pages/userCenter/report/orderDetail'),
  },
  {
    path: '/userCenter/report/product',
    title: '商品报表',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "report" */ '@/pages/userCenter/report/product'),
  },
  {
    path: '/userCenter/report/department',
    title: '部门报表',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "report" */ '@/pages/userCenter/report/department'),
  },
  {
    path: '/userCenter/report/purchaser',
    title: '采购人报表',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "report" */ '@/pages/userCenter/report/purchaser'),
  },
  {
    path: '/userCenter/report/brand',
    title: '品牌报表',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "report" */ '@/pages/userCenter/report/brand'),
  },
  {
    path: '/userCenter/report/savings',
    title: '节约与合规报表',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "report" */ '@/pages/userCenter/report/savings'),
  },
  {
    path: '/userCenter/report/budget',
    title: '预算执行报表',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "report" */ '@/pages/userCenter/report/budget'),
  },
  {
    path: '/userCenter/report/dimension',
    title: '核算报表',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "dimensionReport" */ '@/pages/userCenter/report/dimension'),
  },
  {
    path: '/userCenter/asset/budget',
    title: '预算余额',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "budget" */ '@/pages/userCenter/asset/budget'),
  },
  {
    path: '/userCenter/asset/dimension',
    title: '核算项',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "dimension" */ '@/pages/userCenter/asset/dimension'),
  },
  {
    path: '/userCenter/management/department',
    title: '部门管理',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "department" */ '@/pages/userCenter/management/department'),
  },
  {
    path: '/userCenter/management/group',
    title: '集团管理',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "group" */ '@/pages/userCenter/management/group'),
  },
  {
    path: '/userCenter/invoice/index',
    title: '申请开票',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "invoiceApply" */ '@/pages/userCenter/invoice/index'),
  },
  {
    path: '/userCenter/invoice/list',
    title: '开票记录',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "invoices" */ '@/pages/userCenter/invoice/list'),
  },
  {
    path: '/userCenter/invoice/detail',
    title: '发票详情',
    layout: 'userCenter',
    login: true,
    load: () => import(/* webpackChunkName: "invoice" */ '@/pages/userCenter/invoice/detail'),
  },
  {
    path: '/userCenter/invoice/statement',
    title: '对账单',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "statements" */ '@/pages/userCenter/invoice/statement/index'),
  },
  {
    path: '/userCenter/invoice/statement/:id',
    title: '对账单详情',
    layout: 'userCenter',
    login: true,
    load: () =>
      import(/* webpackChunkName: "statement" */ '@/pages/userCenter/invoice/statement/detail'),
  },
]

export const userCenterRoutes = (client: QueryClient): RouteObject[] => [
  { Component, children: ROWS.map((row) => getRoute(client, row)) },
]
