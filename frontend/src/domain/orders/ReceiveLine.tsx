import { useState } from 'react'
import { getProductTitle } from '@/lib/productTitle'
import { Button } from '@/ui/Button'
import { Field, Input } from '@/ui/Field'
import { PICTURES } from '@/ui/pictures'
import { Stepper } from '@/ui/Stepper'
import { Upload } from '@/ui/Upload'
import styles from './orders.module.css'
import { changeArrival, comingOf, type Arrival, type Line } from './receipt'

interface Props {
  line: Line
  arrival: Arrival
  onChange: (arrival: Arrival) => void
}

function Claim({
  line,
  arrival,
  set,
}: {
  line: Line
  arrival: Arrival
  set: (change: Partial<Arrival>) => void
}) {
  return (
    <div className={styles.claim} role="group" aria-label={`${getProductTitle(line)}的少件和破损`}>
      <span>
        少件
        <Stepper
          min={0}
          max={arrival.quantity}
          value={arrival.short}
          size="s"
          unit={line.Unit}
          label={`${getProductTitle(line)}的少件数量`}
          onChange={(short) => set({ short })}
        />
      </span>
      <span>
        破损
        <Stepper
          min={0}
          max={arrival.quantity}
          value={arrival.damaged}
          size="s"
          unit={line.Unit}
          label={`${getProductTitle(line)}的破损数量`}
          onChange={(damaged) => set({ damaged })}
        />
      </span>
      <Field label="情况说明" className={styles.note}>
        <Input
          maxLength={200}
          value={arrival.note}
          placeholder="如：外箱破损、箱内少一盒"
          onChange={(event) => set({ note: event.target.value })}
        />
      </Field>
      {arrival.damaged > 0 && (
        <div className={styles.note}>
          <Upload
            value={arrival.files}
            onChange={(files) => set({ files })}
            rules={PICTURES}
            camera
            max={9}
            label="上传破损照片"
            hint="请连同外箱和快递面单一起拍，最多 9 张"
          />
        </div>
      )}
    </div>
  )
}

/** A line of the receipt: the arrived quantity and, on request, missing and damaged pieces. */
export function ReceiveLine({ line, arrival, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const set = (change: Partial<Arrival>): void => onChange(changeArrival(arrival, change))
  return (
    <li>
      <span>
        {getProductTitle(line)}
        <small>
          在途 {comingOf(line)} {line.Unit}
        </small>
      </span>
      <Button
        look="text"
        size="s"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen)
          set({ short: 0, damaged: 0, note: '', files: [] })
        }}
      >
        {isOpen ? '没有少件或破损' : '有少件或破损'}
      </Button>
      <Stepper
        min={0}
        max={comingOf(line)}
        value={arrival.quantity}
        size="s"
        unit={line.Unit}
        limit="在途"
        label={`${getProductTitle(line)}的到货数量`}
        onChange={(quantity) => set({ quantity })}
      />
      {isOpen && <Claim line={line} arrival={arrival} set={set} />}
    </li>
  )
}
