import { useQueries } from '@tanstack/react-query'
import { DocumentCard } from '@/desk/DocumentPage'
import { KINDS, type Kind } from '@/domain/dimensions/dimensions'
import { DimensionSums } from '@/domain/invoices/DimensionSums'
import { downloadStatementSums, statementSums } from '@/domain/invoices/statements'

/** 核算分摊: the goods, freight and returns of the month by cost centre, project and subject. */
export function Dimensions({ id }: { id: string }) {
  const sumQueries = useQueries({ queries: KINDS.map(({ value }) => statementSums(id, value)) })
  const failedQueries = sumQueries.filter(({ error }) => error)
  const kinds = KINDS.flatMap(({ value, label }, at) => {
    const rows = sumQueries[at]?.data
    return rows ? [{ kind: value, label, rows }] : []
  })
  return (
    <DocumentCard title="核算分摊">
      <DimensionSums
        kinds={kinds.length === KINDS.length ? kinds : undefined}
        error={failedQueries[0]?.error}
        onRetry={() => failedQueries.forEach((query) => void query.refetch())}
        onExport={(kind) => void downloadStatementSums(id, kind as Kind)}
      />
    </DocumentCard>
  )
}
