import { Link } from 'react-router-dom'
import type { CancelPreview, Pieces } from '@/domain/cancels/cancels'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/Button'
import { ProductImage } from '@/ui/ProductImage'
import { Stepper } from '@/ui/Stepper'
import styles from './apply.module.css'

interface LinesProps {
  lines: CancelPreview['Lines']
  pieces: Pieces
  onChange: (pieces: Pieces) => void
}

/** How many of each line are to be cancelled; what has been shipped, or is asked for already, cannot be. */
export function Lines({ lines, pieces, onChange }: LinesProps) {
  const all = Object.fromEntries(lines.map(({ Id, Cancellable }) => [Id, Cancellable]))
  const none = Object.fromEntries(lines.map(({ Id }) => [Id, 0]))
  return (
    <section className={styles.card} aria-label="取消商品">
      <h2>
        取消商品
        <span>
          <Button look="text" size="s" onClick={() => onChange(all)}>
            全部取消
          </Button>
          <Button look="text" size="s" onClick={() => onChange(none)}>
            全不选
          </Button>
        </span>
      </h2>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">商品</th>
              <th scope="col">单价（含税）</th>
              <th scope="col">订购 / 已发</th>
              <th scope="col">可取消</th>
              <th scope="col">取消数量</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.Id}>
                <td>
                  <span className={styles.what}>
                    <span className={styles.picture}>
                      <ProductImage src={line.ImageUrl} alt="" />
                    </span>
                    <span>
                      <Link to={paths.product(line.ProductCode)}>{line.Name}</Link>
                      <small>编码 {line.ProductCode}</small>
                    </span>
                  </span>
                </td>
                <td>{yuan(line.UnitPrice)}</td>
                <td>
                  {line.Quantity} / {line.ShippedQuantity} {line.Unit}
                </td>
                <td>{line.Cancellable}</td>
                <td>
                  {line.Cancellable > 0 ? (
                    <Stepper label={`${line.Name} 取消数量`} value={pieces[line.Id] ?? 0} min={0} max={line.Cancellable} onChange={(quantity) => onChange({ ...pieces, [line.Id]: quantity })} />
                  ) : (
                    <span className={styles.quiet}>不可取消</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
