import { ConsentBox } from './ConsentBox'
import { Products } from './Products'
import type { Message } from './api'

/** The products of an answer that can be bought. */
export default function Goods({
  message: { Cards, Consent },
  readOnly,
}: {
  message: Message
  readOnly: boolean
}) {
  return (
    <>
      {Cards.length > 0 && <Products cards={Cards} />}
      {Consent && <ConsentBox key={Consent.Id} consent={Consent} readOnly={readOnly} />}
    </>
  )
}
