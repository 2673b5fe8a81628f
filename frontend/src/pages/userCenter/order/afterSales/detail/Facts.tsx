import type { ReactNode } from 'react'
import { DocumentCard, FactList, PictureList } from '@/desk/DocumentPage'
import type { ReturnDetail } from '@/domain/returns/returns'

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
  const addressText = `${Province}${City}${District}${Street} ${Receiver} ${Mobile}`
  const rows: [string, ReactNode][] = [
    ['原因', data.ReasonText],
    ['问题描述', data.Detail],
    ['退回方式', data.Way === 'send' ? '自行寄回' : data.WayText],
    ...(data.Way === 'pickup'
      ? ([['取件地址', Wish ? `${addressText}（${Wish}）` : addressText]] as [string, ReactNode][])
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
    <DocumentCard title="申请信息">
      <FactList rows={rows} />
      <PictureList pictures={data.Pictures} label="凭证图片" />
    </DocumentCard>
  )
}
