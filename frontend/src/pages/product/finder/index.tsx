import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, type LoaderFunctionArgs } from 'react-router-dom'
import { BuyBox } from '@/domain/cart/BuyBox'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { useSession } from '@/lib/session'
import { useFilters } from '@/lib/useFilters'
import { cx } from '@/ui/cx'
import { Field, Input } from '@/ui/Field'
import { Price } from '@/ui/Price'
import { ProductImage } from '@/ui/ProductImage'
import { Breadcrumb, Tag } from '@/ui/Small'
import { Empty, ErrorState, Loading } from '@/ui/States'
import styles from './finder.module.css'
import {
  brands,
  byCategory,
  deviceProducts,
  devices,
  readRecent,
  readState,
  rememberDevice,
  type Device,
  type FinderState,
  type FittingRow,
} from './query'

export const loader =
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    const state = readState(new URL(request.url).searchParams)
    void client.prefetchQuery(brands)
    if (state.BrandId ?? state.Key) void client.prefetchQuery(devices(state))
    if (state.DeviceId) void client.prefetchQuery(deviceProducts(state.DeviceId))
    return null
  }

interface StepProps {
  state: FinderState
  onChange: (change: Partial<FinderState>) => void
}

function BrandStep({ state, onChange }: StepProps) {
  const { data, error, refetch } = useQuery(brands)
  return (
    <section className={styles.step} aria-label="设备品牌">
      <h2>1. 选择设备品牌</h2>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={80} />}
      <div className={styles.brands} role="group" aria-label="设备品牌">
        {data?.map((brand) => (
          <button
            key={brand.BrandId}
            type="button"
            aria-pressed={brand.BrandId === state.BrandId}
            onClick={() =>
              onChange({ BrandId: brand.BrandId, DeviceId: undefined, Key: undefined })
            }
          >
            {brand.Name}
            <small>{brand.EnglishName}</small>
          </button>
        ))}
      </div>
    </section>
  )
}

function DeviceStep({ state, onChange }: StepProps) {
  const [typed, setTyped] = useState(state.Key ?? '')
  const { data, error, refetch } = useQuery(devices(state))
  const isAsked = Boolean(state.BrandId ?? state.Key)
  useEffect(() => setTyped(state.Key ?? ''), [state.Key])
  return (
    <section className={styles.step} aria-label="机型">
      <h2>2. 选择机型</h2>
      <form
        className={styles.key}
        onSubmit={(event) => {
          event.preventDefault()
          onChange({ Key: typed.trim() || undefined, DeviceId: undefined })
        }}
      >
        <Field label="输入机型，按回车查找">
          <Input
            type="search"
            value={typed}
            maxLength={60}
            placeholder="如 M1005"
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      </form>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isAsked && !data && !error && <Loading height={200} />}
      {!isAsked && <p className={styles.hint}>先选品牌，或直接输入机型</p>}
      {data?.length === 0 && (
        <p className={styles.hint} role="status">
          没有符合的机型，请核对机身铭牌上的型号，或换一个品牌
        </p>
      )}
      <div className={styles.devices} role="group" aria-label="机型">
        {data?.map((device) => (
          <button
            key={device.DeviceId}
            type="button"
            aria-pressed={device.DeviceId === state.DeviceId}
            onClick={() => onChange({ DeviceId: device.DeviceId, BrandId: device.BrandId })}
          >
            <span>
              {!state.BrandId && `${device.Brand} `}
              {device.Model}
            </span>
            <small>{[device.DeviceKindText, device.Aliases].filter(Boolean).join(' · ')}</small>
          </button>
        ))}
      </div>
    </section>
  )
}

function Row({ row }: { row: FittingRow }) {
  const facts = [row.ModelCode, row.Pack, row.CustomerCode && `物料号 ${row.CustomerCode}`]
  return (
    <li className={styles.row}>
      <span className={styles.picture}>
        <ProductImage src={row.ImageUrl} alt="" />
      </span>
      <div className={styles.name}>
        <Link to={paths.product(row.ProductCode)}>{getProductTitle(row)}</Link>
        <small>{facts.filter(Boolean).join(' · ')}</small>
        <span className={styles.marks}>
          <Tag tone={row.Compatibility === 'original' ? 'brand' : 'plain'}>
            {row.CompatibilityText}
          </Tag>
          {row.Note && <small>{row.Note}</small>}
          {row.Stock <= 0 && <small className={styles.out}>暂时缺货</small>}
        </span>
      </div>
      <div className={styles.price}>
        <Price value={row.CustomerPrice} market={row.MallPrice} size="s" />
      </div>
      <div className={styles.buy}>
        <BuyBox product={row} />
      </div>
    </li>
  )
}

function Products({ deviceId, onLoad }: { deviceId: string; onLoad: (device: Device) => void }) {
  const { data, error, refetch } = useQuery(deviceProducts(deviceId))
  useEffect(() => {
    if (data) onLoad(data.Device)
    // The device is remembered once per answer.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [data])
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading height={320} />
  const { Device: device, Items: rows } = data
  if (!rows.length)
    return (
      <Empty title={`${device.Brand} ${device.Model} 暂无适用商品`}>
        您的采购目录中没有适用于该机型的在售商品
      </Empty>
    )
  return (
    <>
      <h2>
        {device.Brand} {device.Model} <small>适用商品 {rows.length} 种</small>
      </h2>
      {byCategory(rows).map((group) => (
        <section key={group.name} aria-label={group.name}>
          <h3>{group.name}</h3>
          <ul>
            {group.rows.map((row) => (
              <Row key={row.ProductCode} row={row} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** 耗材查找: the maker of the device, its model, and the products that fit it. */
export function Component() {
  const [state, setState] = useFilters(readState)
  const uid = useSession()?.User.uid
  const [recent, setRecent] = useState(() => readRecent(uid))
  const remember = (device: Device): void => {
    rememberDevice(uid, device)
    setRecent(readRecent(uid))
  }
  return (
    <div className={styles.page}>
      <Breadcrumb items={[{ label: '首页', to: paths.home() }, { label: '耗材查找' }]} />
      <div className={styles.card}>
        <h1>耗材查找</h1>
        <p className={styles.hint}>
          按打印机、标签机等设备的品牌和机型，查找适用的硒鼓、墨盒、色带和标签
        </p>
        <div className={styles.recent} role="group" aria-label="最近查过的机型">
          <b>最近查过</b>
          {recent.length === 0 && <span>暂无</span>}
          {recent.map((device) => (
            <button
              key={device.DeviceId}
              type="button"
              aria-pressed={device.DeviceId === state.DeviceId}
              onClick={() =>
                setState({ BrandId: device.BrandId, DeviceId: device.DeviceId, Key: undefined })
              }
            >
              {device.Label}
            </button>
          ))}
        </div>
        <div className={styles.steps}>
          <BrandStep state={state} onChange={setState} />
          <DeviceStep state={state} onChange={setState} />
        </div>
        <section
          className={cx(styles.result, !state.DeviceId && styles.waiting)}
          aria-label="适用商品"
        >
          {state.DeviceId ? (
            <Products key={state.DeviceId} deviceId={state.DeviceId} onLoad={remember} />
          ) : (
            <p className={styles.hint}>选择机型后，这里列出适用的商品和您的价格</p>
          )}
        </section>
      </div>
    </div>
  )
}
