import { queryOptions } from '@tanstack/react-query'
import { call, type Answer } from '@/api/call'

export type Workbench = Answer<'/api/Workbench'>

export const workbench = (uid: string) =>
  queryOptions({
    queryKey: ['workbench', uid],
    queryFn: ({ signal }) => call('get', '/api/Workbench', { signal, quiet: true }),
  })
