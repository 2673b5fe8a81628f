import { useState } from 'react'
import type { QueryClient } from '@tanstack/react-query'
import { isApiError, MESSAGES } from '@/api/errors'
import { paths } from '@/lib/paths'
import { session, useSession } from '@/lib/session'
import { useMayRequest } from '@/domain/account/purchasing'
import { HelpLink } from '@/ui/HelpLink'
import { Icon } from '@/ui/Icon'
import { onIntent } from '@/ui/intent'
import { Breadcrumb } from '@/ui/Small'
import { Empty, Loading } from '@/ui/States'
import { Tabs } from '@/ui/Tabs'
import { quickLists } from './api'
import { Grid } from './Grid'
import styles from './quick.module.css'
import { useQuickOrder } from './useQuickOrder'

// One chunk: these parts are all needed soon after the first paint.
const paste = onIntent(() => import(/* webpackChunkName: "quick-order-more" */ './Paste'))
const done = onIntent(() => import(/* webpackChunkName: "quick-order-more" */ './Done'))
const sheet = onIntent(() => import(/* webpackChunkName: "quick-order-more" */ './SheetUpload'))
const lists = onIntent(() => import(/* webpackChunkName: "quick-order-more" */ './Lists'))
const result = onIntent(() => import(/* webpackChunkName: "quick-order-more" */ './Result'))

const TABS = [
  { key: 'type', label: '逐行录入' },
  { key: 'paste', label: '粘贴文字' },
  { key: 'sheet', label: '上传表格' },
]
export const loader = (client: QueryClient) => () => {
  const uid = session.get()?.User.uid
  if (uid) void client.prefetchQuery(quickLists(uid))
  return null
}

type Quick = ReturnType<typeof useQuickOrder>

function Entry({ uid, quick }: { uid: string; quick: Quick }) {
  const [tab, setTab] = useState('type')
  return (
    <section className={styles.card} aria-label="录入商品">
      <Tabs label="录入方式" tabs={TABS} value={tab} onChange={setTab} />
      <div className={styles.entry}>
        {tab === 'type' && (
          <Grid
            uid={uid}
            rows={quick.rows}
            isBusy={quick.busy}
            onRows={quick.setRows}
            onMany={quick.readText}
            onSubmit={quick.readRows}
          />
        )}
        {tab === 'paste' && (
          <paste.Part
            text={quick.pasted}
            isBusy={quick.busy}
            onText={quick.setPasted}
            onSubmit={quick.readPasted}
          />
        )}
        {tab === 'sheet' && <sheet.Part onRead={quick.take} />}
        {quick.error && !quick.busy && (
          <p className={styles.failed} role="alert">
            <Icon name="warn" size={16} />
            {isApiError(quick.error) ? quick.error.message : MESSAGES.failed}
          </p>
        )}
      </div>
    </section>
  )
}

/**
 * 快速下单: the user types, pastes or uploads lines. Each line comes back with a product, candidates or
 * a reason.
 */
export function Component() {
  const uid = useSession()?.User.uid ?? ''
  const quick = useQuickOrder(uid)
  const { lines, totals, setLines } = quick
  const mayRequest = useMayRequest()
  if (!mayRequest)
    return (
      <Empty title="您的角色不能使用快速下单" icon="list">
        您的角色仅可浏览商品，不能加入购物车；需要采购请联系贵司集团管理员
      </Empty>
    )
  return (
    <div className={styles.page}>
      <Breadcrumb items={[{ label: '首页', to: paths.home() }, { label: '快速下单' }]} />
      <h1 className={styles.title}>
        快速下单
        <HelpLink to={paths.help(12)}>购物流程说明</HelpLink>
      </h1>
      <div className={styles.top}>
        <Entry uid={uid} quick={quick} />
        <aside className={styles.lists} aria-label="常用清单">
          <h2>
            <Icon name="folder" size={18} />
            常用清单
          </h2>
          <lists.Part uid={uid} onUse={quick.useList} />
        </aside>
      </div>
      {quick.filled && <done.Part filled={quick.filled} />}
      {quick.isRestoring && !lines.length && <Loading height={240} />}
      {!lines.length && !quick.isRestoring && !quick.filled && (
        <Empty title="还没有识别的商品" icon="list">
          编码、您自己的物料编码、型号（可不写横线）和名称都能识别；不完全一致的会列出候选，由您选择
        </Empty>
      )}
      {lines.length > 0 && (
        <result.Part lines={lines} totals={totals} onChange={setLines} onFilled={quick.onFilled} />
      )}
    </div>
  )
}
