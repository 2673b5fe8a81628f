import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs } from 'react-router-dom'
import { choices, report, type ReportName } from './api'
import { readFilters, toQuery } from './filters'
import { firstPage } from './useReport'

export const reportLoader =
  (name: ReportName) =>
  (client: QueryClient) =>
  ({ request }: LoaderFunctionArgs) => {
    void client.prefetchQuery(
      report(name, toQuery(firstPage(readFilters(new URL(request.url).searchParams)), true)),
    )
    void client.prefetchQuery(choices(name))
    return null
  }
