import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Page } from '@/desk/Page'
import { profile } from '@/domain/account/profile'
import { session, useSession } from '@/lib/session'
import { ErrorState, Loading } from '@/ui/States'
import styles from './account.module.css'
import { sessions } from './api'
import { Avatar } from './Avatar'
import { BasicForm } from './BasicForm'
import { Contacts } from './Contacts'
import { SecondFactor } from './SecondFactor'
import { Sessions } from './Sessions'

export const loader = (client: QueryClient) => () => {
  const uid = session.get()?.User.uid
  if (uid) {
    void client.prefetchQuery(profile(uid))
    void client.prefetchQuery(sessions(uid))
  }
  return null
}

/** 个人信息: profile, contacts and sessions. */
export function Component() {
  const person = useSession()
  const uid = person?.User.uid ?? ''
  const { data, error, refetch } = useQuery({ ...profile(uid), enabled: uid !== '' })
  return (
    <Page title="个人信息">
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading height={520} />}
      {data && (
        <div className={styles.parts}>
          <section className={styles.part} aria-label="基本资料">
            <h2>基本资料</h2>
            <div className={styles.basic}>
              <Avatar of={data} />
              <BasicForm of={data} />
            </div>
          </section>
          <Contacts of={data} />
          <SecondFactor uid={uid} />
          <Sessions uid={uid} />
        </div>
      )}
    </Page>
  )
}
