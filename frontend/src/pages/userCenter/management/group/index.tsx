import { useQuery, type QueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { Page } from '@/desk/Page'
import { ChangeHistory } from '@/domain/org/ChangeHistory'
import { ownGroup } from '@/domain/org/group'
import { ErrorState, Loading } from '@/ui/States'
import { Enterprises } from './Enterprises'
import { Profile } from './Profile'
import { Settings } from './Settings'
import { Webhooks } from './Webhooks'

export const loader = (client: QueryClient) => () => {
  void client.prefetchQuery(ownGroup())
  return null
}

/** 集团管理: the profile of the group, its settings, and its legal entities. */
export function Component() {
  const { data: group, error, refetch } = useQuery(ownGroup())
  const [history, setHistory] = useState(false)
  return (
    <Page
      title="集团管理"
      extra={group && <Button onClick={() => setHistory(true)}>变更记录</Button>}
    >
      {group ? (
        <>
          <Profile group={group} />
          <Settings key={group.UpdatedAt} group={group} />
          <Enterprises canAdd={group.CanEdit} />
          {group.CanEdit && <Webhooks />}
          <ChangeHistory
            subjectType="group"
            subjectId={group.Id}
            name={group.Name}
            open={history}
            onClose={() => setHistory(false)}
          />
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading height={520} />
      )}
    </Page>
  )
}
