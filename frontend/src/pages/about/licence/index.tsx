import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { call } from '@/api/call'
import { boot } from '@/lib/boot'
import { paths } from '@/lib/paths'
import { Empty, ErrorState, Skeleton } from '@/ui/States'
import { Breadcrumb } from '@/ui/Small'
import styles from './licence.module.css'

const licence = queryOptions({
  queryKey: ['businessLicence'],
  queryFn: ({ signal }) => call('get', '/api/Content/BusinessLicence', { signal, quiet: true }),
})

export const loader = (client: QueryClient) => () => {
  void client.prefetchQuery(licence)
  return null
}

/** 营业执照, as the staff wrote it down, with the other licences under it. */
export function Component() {
  const { data, error, refetch } = useQuery(licence)
  const named = data?.filter(({ Name }) => Name !== '') ?? []
  const notes = data?.filter(({ Name }) => Name === '') ?? []
  return (
    <div className={styles.page}>
      <Breadcrumb items={[{ label: '首页', to: paths.home() }, { label: '营业执照' }]} />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Empty icon="paper" title="营业执照暂未公示" />}
      {data?.length !== 0 && (
        <section className={styles.sheet}>
          <h1>营业执照</h1>
          {!data && !error && <Skeleton height={280} />}
          <dl>
            {named.map(({ Name, Value }) => (
              <div key={Name}>
                <dt>{Name}</dt>
                <dd>{Value}</dd>
              </div>
            ))}
          </dl>
          {notes.map(({ Value }) => (
            <p key={Value}>{Value}</p>
          ))}
        </section>
      )}
      {boot.Footer.Licences.length > 0 && (
        <section className={styles.others}>
          <h2>备案与许可</h2>
          <ul>
            {boot.Footer.Licences.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
