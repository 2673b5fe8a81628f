import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  getDocumentNo,
  getQuantityText,
  statementLines,
  type StatementDetail,
} from '@/domain/invoices/statements'
import { yuan } from '@/lib/money'
import { formatTime } from '@/lib/time'
import styles from './detail.module.css'

const MAX_LINES = 1000

/** All lines for printing, loaded only for that. The screen shows one page of them. */
export default function Paper({ data, onDone }: { data: StatementDetail; onDone: () => void }) {
  const { data: page, isError } = useQuery(
    statementLines(data.Id, { PageIndex: 1, PageSize: MAX_LINES }),
  )
  useEffect(() => {
    if (!page && !isError) return
    window.print()
    onDone()
  }, [page, isError, onDone])
  if (!page) return null
  return (
    <section className={styles.paper} aria-label="打印明细">
      <table>
        <caption>
          明细（共 {page.Total} 条
          {page.Total > MAX_LINES && `，此处为前 ${MAX_LINES} 条，完整明细请导出`}）
        </caption>
        <thead>
          <tr>
            {['类型', '发生时间', '订单号', '单据', '摘要', '数量', '金额（含税）'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {page.Items.map((line) => (
            <tr key={line.Id}>
              <td>{line.KindText}</td>
              <td>{formatTime(line.At)}</td>
              <td>{line.OrderNo}</td>
              <td>{getDocumentNo(line)}</td>
              <td>{line.Text}</td>
              <td>{getQuantityText(line)}</td>
              <td>{yuan(line.Amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
