import type { ReactNode } from 'react'
import type { ReturnDetail } from '@/domain/returns/returns'
import styles from './detail.module.css'
import { Pictures } from './Pictures'

/** The request and the address for the goods. */
export function Facts({ data }: { data: ReturnDetail }) {
  const {
    Province = '',
    City = '',
    District = '',
    Street = '',
    Receiver = '',
    Mobile = '',
    Wish = '',
  } = data.Contact
  const place = `${Province}${City}${District}${Street} ${Receiver} ${Mobile}`
  const rows: [string, ReactNode][] = [
    ['原因', data.ReasonText],
    ['问题描述', data.Detail],
    ['退回方式', data.Way === 'send' ? '自行寄回' : data.WayText],
    ...(data.Way === 'pickup'
      ? ([['取件地址', Wish ? `${place}（${Wish}）` : place]] as [string, ReactNode][])
      : []),
    ...(data.SendTo ? ([['寄回地址', data.SendTo]] as [string, ReactNode][]) : []),
    ...(data.VideoUrl
      ? ([
          [
            '视频',
            <a key="video" href={data.VideoUrl} target="_blank" rel="noreferrer nofollow">
              {data.VideoUrl}
            </a>,
          ],
        ] as [string, ReactNode][])
      : []),
  ]
  return (
    <section className={styles.card} aria-label="申请信息">
      <h2>申请信息</h2>
      <dl className={styles.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || '—'}</dd>
          </div>
        ))}
      </dl>
      <Pictures pictures={data.Pictures} label="凭证图片" />
    </section>
  )
}
