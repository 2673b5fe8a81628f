import { useQuery, type QueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { useParams, useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { call } from '@/api/call'
import { isApiError } from '@/api/errors'
import type { ProductDetail } from '@/api/schema'
import { BROWSED, product } from '@/domain/catalog/products'
import { paths } from '@/lib/paths'
import { getProductTitle } from '@/lib/productTitle'
import { useSession } from '@/lib/session'
import { useNear } from '@/lib/useNear'
import { useTitle } from '@/lib/useTitle'
import { NotFound } from '@/ui/NotFound'
import { Breadcrumb } from '@/ui/Small'
import { ErrorState, Loading } from '@/ui/States'
import { Buy } from './Buy'
import styles from './detail.module.css'
import { Gallery } from './Gallery'
import { ProductStrip } from './ProductStrip'

/** Digits only. Any other address is not a product. */
const isCode = (code: string | null | undefined): code is string => /^\d{1,18}$/.test(code ?? '')

const codeOf = (
  params: Record<string, string | undefined>,
  url: URLSearchParams,
): string | null => {
  const code = params.code ?? url.get('ProductCode') ?? url.get('code')
  return isCode(code) ? code : null
}

export const loader =
  (client: QueryClient) =>
  ({ params, request }: LoaderFunctionArgs) => {
    const code = codeOf(params, new URL(request.url).searchParams)
    if (code) void client.prefetchQuery(product(code))
    return null
  }

function Specifications({ detail }: { detail: ProductDetail }) {
  const all = [
    { Name: '品牌', Value: detail.Brand },
    { Name: '型号', Value: detail.ModelCode },
    { Name: '条码', Value: detail.Barcode },
    { Name: '单位', Value: detail.Unit },
    { Name: '包装规格', Value: detail.Pack },
    ...detail.Attributes,
  ].filter(({ Value }) => Value)
  const pairs = Array.from({ length: Math.ceil(all.length / 2) }, (_, index) =>
    all.slice(index * 2, index * 2 + 2),
  )
  return (
    <section className={styles.section}>
      <h2>规格参数</h2>
      <div className={styles.specs}>
        <table>
          <tbody>
            {pairs.map((pair) => (
              <tr key={pair[0]?.Name}>
                {pair.flatMap(({ Name, Value }) => [
                  <th key={Name} scope="row">
                    {Name}
                  </th>,
                  <td key={`${Name}-value`}>{Value}</td>,
                ])}
                {pair.length === 1 && <td colSpan={2} aria-hidden />}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const History = lazy(() => import(/* webpackChunkName: "product-history" */ './History'))
const Acts = lazy(() => import(/* webpackChunkName: "product-acts" */ './Acts'))
const Reviews = lazy(() => import(/* webpackChunkName: "product-reviews" */ './Reviews'))
const Questions = lazy(() => import(/* webpackChunkName: "product-questions" */ './Questions'))
const Devices = lazy(() => import(/* webpackChunkName: "product-devices" */ './Devices'))
const Documents = lazy(() => import(/* webpackChunkName: "product-documents" */ './Documents'))

/** Saves the product in the browse history. A failure is ignored silently. */
function useBrowsed(code: string | null): void {
  const uid = useSession()?.User.uid
  useEffect(() => {
    if (code && uid)
      void call('post', '/api/Favorite/Add', {
        body: { TargetId: code, Type: BROWSED },
        quiet: true,
        loading: false,
      }).catch(() => undefined)
  }, [code, uid])
}

/**
 * 搭配选购. A signed-in user also sees what his group orders together with it, and which colleagues
 * bought it.
 */
function GoesWith({ product: shown }: { product: ProductDetail }) {
  const plain = <ProductStrip title="搭配选购" rows={shown.GoesWith} />
  if (!useSession()) return plain
  return (
    <Suspense fallback={plain}>
      <History product={shown} />
    </Suspense>
  )
}

/** 商品问答 loads when the reader comes near it. */
function LazyQuestions({ product: shown }: { product: ProductDetail }) {
  const [element, isNear] = useNear<HTMLElement>(true)
  return (
    <section ref={element} id="questions" className={styles.section} aria-label="商品问答">
      <Suspense fallback={<Loading height={180} />}>
        {isNear ? <Questions product={shown} /> : <Loading height={180} />}
      </Suspense>
    </section>
  )
}

function Product({ code }: { code: string }) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...product(code),
    // Another member of the family: the page stays until the new one is there.
    placeholderData: (shown?: ProductDetail) =>
      shown?.Variants.some(({ ProductCode }) => ProductCode === code) ? shown : undefined,
  })
  useTitle(data?.CustomerProductName)
  useBrowsed(data && !isPlaceholderData ? code : null)
  if (error && !data) {
    if (isApiError(error) && error.status === 404)
      return <NotFound title="没有找到这件商品" text="商品可能已下架，或不在您企业的采购目录中" />
    return <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const trail = (data?.Breadcrumbs ?? []).map(({ CategoryId, Name }) => ({
    label: Name,
    to: paths.products({ Cid: CategoryId }),
  }))
  return (
    <div className={styles.page} aria-busy={isPlaceholderData}>
      <Breadcrumb
        items={[
          { label: '首页', to: paths.home() },
          ...trail,
          { label: data?.CustomerProductName ?? code },
        ]}
      />
      {!data && <Loading height={552} />}
      {data && (
        <>
          <div className={styles.top}>
            <div>
              <Gallery
                key={data.ProductCode}
                images={data.Images.length ? data.Images : [data.ImageUrl]}
                name={getProductTitle(data)}
              />
              <div className={styles.beside}>
                <Suspense>
                  <Acts key={data.ProductCode} product={data} />
                </Suspense>
              </div>
            </div>
            <Buy
              key={data.Family?.Code ?? data.ProductCode}
              product={data}
              isStale={isPlaceholderData}
            />
          </div>
          <Specifications detail={data} />
          {data.HasDevices && (
            <Suspense fallback={<Loading height={148} />}>
              <Devices key={data.ProductCode} product={data} />
            </Suspense>
          )}
          {data.Documents.length > 0 && (
            <Suspense fallback={<Loading height={148} />}>
              <Documents key={data.ProductCode} product={data} />
            </Suspense>
          )}
          {data.Description && (
            <section className={styles.section}>
              <h2>商品详情</h2>
              <p className={styles.text}>{data.Description}</p>
            </section>
          )}
          {data.ReviewCount > 0 && (
            <Suspense fallback={<Loading height={340} />}>
              <Reviews key={data.ProductCode} product={data} />
            </Suspense>
          )}
          <LazyQuestions key={`questions-${data.ProductCode}`} product={data} />
          <ProductStrip id="substitutes" title="同类可替代" rows={data.Substitutes} />
          <GoesWith key={data.ProductCode} product={data} />
        </>
      )}
    </div>
  )
}

export function Component() {
  const [search] = useSearchParams()
  const code = codeOf(useParams(), search)
  return code ? <Product code={code} /> : <NotFound />
}
