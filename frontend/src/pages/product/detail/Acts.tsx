import type { ProductDetail } from '@/api/schema'
import { CompareButton } from '@/domain/catalog/CompareButton'
import { Icon } from '@/ui/Icon'

/** The actions of the page other than buying. */
export default function Acts({ product }: { product: ProductDetail }) {
  return (
    <>
      <CompareButton product={product} />
      <button type="button" className="touch" onClick={() => window.print()}>
        <Icon name="printer" size={14} />
        打印
      </button>
    </>
  )
}
