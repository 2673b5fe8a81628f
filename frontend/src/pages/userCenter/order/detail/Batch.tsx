import { Link } from 'react-router-dom'
import { DocumentCard } from '@/desk/DocumentPage'
import { StatusTag } from '@/desk/StatusTag'
import type { OrderDetail } from '@/domain/orders/orders'
import { toneOf } from '@/domain/orders/status'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import styles from './detail.module.css'

/** The orders of the same submit: one for each address. */
export function Batch({ data }: { data: OrderDetail }) {
  return (
    <DocumentCard title={`同批订单（${data.Batch.length}）`} label="同批订单">
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              {['订单', '收货人', '收货地址', '部门', '成本中心', '状态', '应付总额'].map(
                (name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {data.Batch.map((row) => (
              <tr key={row.OrderNo}>
                <td>
                  {row.OrderNo === data.OrderNo ? (
                    `${row.OrderNo}（本单）`
                  ) : (
                    <Link to={paths.order(row.OrderNo)}>{row.OrderNo}</Link>
                  )}
                </td>
                <td>{row.Receiver}</td>
                <td>{row.Address}</td>
                <td>{row.Department}</td>
                <td>{row.CostCenter}</td>
                <td>
                  <StatusTag text={row.StatusText} tone={toneOf(row.Status)} />
                </td>
                <td>{yuan(row.Total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </DocumentCard>
  )
}
