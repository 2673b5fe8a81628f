import { IMAGE_SEARCH_RULES, upload, type UploadOptions } from '@/api/upload'
import type { Answer } from '@/api/call'
import { paths } from '@/lib/paths'

export type ImageAnswer = Answer<'/api/Product/ImageSearch', 'post'>

export const NOTHING_FOUND = '未找到相关商品'
export const ONE_ONLY = '一次只能上传一张图片，请只选择一张'

/**
 * Search products by picture. Returns null if the upload rules refuse it (the reason is shown).
 */
export const searchByImage = (
  file: File,
  options: Pick<UploadOptions, 'signal' | 'onProgress'>,
): Promise<ImageAnswer | null> =>
  upload<ImageAnswer>(file, {
    url: '/api/Product/ImageSearch',
    field: 'files',
    rules: IMAGE_SEARCH_RULES,
    loading: false,
    quiet: true,
    ...options,
  })

/** The address of the results, in one category if the server is certain. */
export const buildResultPath = ({ ImageKey, CategoryId }: ImageAnswer): string =>
  paths.products({ ImageKey, Cid: CategoryId })

/** The pictures among dropped or pasted items. */
export const getFiles = (transfer: DataTransfer | null): File[] => [...(transfer?.files ?? [])]
