import { tryDownload } from '@/api/download'
import type { Selection } from '@/api/schema'
import { upload } from '@/api/upload'
import { call } from '@/api/call'
import { exportLines, type Lines } from './lines'

/** Returns candidates and chosen lines for a typed list or a sheet. */
export async function getWishes(list: string | File): Promise<Selection> {
  if (typeof list === 'string')
    return await call('post', '/api/Product/Select', { body: { Text: list }, quiet: true })
  const answer = await upload<Selection>(list, {
    url: '/api/Product/Select',
    loading: false,
    quiet: true,
  })
  if (!answer) throw new Error('no answer')
  return answer
}

export const exportSheet = (items: readonly Selection['Items'][number][], lines: Lines) =>
  tryDownload(
    '/api/Product/Select/Export',
    { Lines: exportLines(items, lines) },
    { fallback: '一键选品.xlsx' },
  )
