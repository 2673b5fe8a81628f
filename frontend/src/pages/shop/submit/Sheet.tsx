import { fieldMessages } from '@/api/errors'
import type { CheckoutForm, Preview } from '@/domain/cart/checkout'
import { Addresses } from './Addresses'
import { Billing } from './Billing'
import type { Set } from './form'
import { Goods } from './Goods'
import styles from './submit.module.css'

/** The left column of the checkout: address, payment and invoice, goods. */
export default function Sheet({
  uid,
  form,
  shown,
  error,
  set,
}: {
  uid: string
  form: CheckoutForm
  shown: Preview
  /** Of the last submit. */
  error: unknown
  set: Set
}) {
  return (
    <div className={styles.main}>
      <Addresses uid={uid} form={form} shown={shown} set={set} />
      <Billing form={form} shown={shown} errors={fieldMessages(error)} set={set} />
      <Goods uid={uid} shown={shown} form={form} set={set} />
    </div>
  )
}
