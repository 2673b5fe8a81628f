import type { UploadedFile } from '@/api/upload'
import type { InquiryBody } from '@/domain/inquiries/inquiries'
import { read, remove, write } from '@/lib/storage'

/**
 * The draft of an inquiry, as text. It is stored per person until it is sent, so that a reload
 * loses nothing.
 */
export interface DraftLine {
  Name: string
  Spec: string
  Quantity: string
  Unit: string
  TargetPrice: string
}

export interface Draft {
  Lines: DraftLine[]
  CategoryId: string
  NeedBy: string
  Remark: string
  Files: UploadedFile[]
}

export const MAX_LINES = 20
export const emptyLine = (given: Partial<DraftLine> = {}): DraftLine => ({
  Name: '',
  Spec: '',
  Quantity: '1',
  Unit: '件',
  TargetPrice: '',
  ...given,
})
export const emptyDraft = (): Draft => ({
  Lines: [emptyLine()],
  CategoryId: '',
  NeedBy: '',
  Remark: '',
  Files: [],
})

const keyOf = (uid: string): string => `inquiryDraft:${uid}`
const isBlank = ({ Name, Spec, TargetPrice }: DraftLine): boolean =>
  !Name.trim() && !Spec.trim() && !TargetPrice.trim()
export const isEmpty = ({
  Lines: lines,
  CategoryId,
  NeedBy,
  Remark,
  Files: files,
}: Draft): boolean =>
  lines.every(isBlank) && !CategoryId && !NeedBy && !Remark.trim() && !files.length

/** The stored draft, with the wish of the address as an extra line. */
export function openDraft(uid: string, wished: URLSearchParams): Draft {
  const draft = read<Draft>('local', keyOf(uid)) ?? emptyDraft()
  const Name = (wished.get('keyword') ?? '').trim().slice(0, 120)
  if (!Name || draft.Lines.some((line) => line.Name === Name)) return draft
  const quantity = Number(wished.get('quantity'))
  const line = emptyLine({
    Name,
    Quantity: Number.isInteger(quantity) && quantity > 0 ? String(quantity) : '1',
  })
  const filledLines = draft.Lines.filter((one) => !isBlank(one))
  return { ...draft, Lines: [...filledLines, line].slice(-MAX_LINES) }
}

export const saveDraft = (uid: string, draft: Draft): void =>
  isEmpty(draft) ? remove('local', keyOf(uid)) : write('local', keyOf(uid), draft)
export const dropDraft = (uid: string): void => remove('local', keyOf(uid))

/** Check the draft before the request. The keys are those of the server's field errors. */
export function findMissing({ Lines: lines }: Draft): Record<string, string> {
  const found: Record<string, string> = {}
  lines.forEach((line, index) => {
    if (!line.Name.trim()) found[`Lines.${index}.Name`] = '请填写意向商品'
    if (!/^[1-9]\d{0,5}$/.test(line.Quantity.trim()))
      found[`Lines.${index}.Quantity`] = '请填写 1 至 999999 的整数'
    if (!line.Unit.trim()) found[`Lines.${index}.Unit`] = '请填写单位'
    if (line.TargetPrice.trim() && !/^\d{1,7}(\.\d{1,2})?$/.test(line.TargetPrice.trim()))
      found[`Lines.${index}.TargetPrice`] = '请填写金额，最多两位小数'
  })
  return found
}

export const bodyOf = ({
  Lines: lines,
  CategoryId,
  NeedBy,
  Remark,
  Files: files,
}: Draft): InquiryBody => ({
  Lines: lines.map((line) => ({
    Name: line.Name.trim(),
    Spec: line.Spec.trim(),
    Quantity: Number(line.Quantity),
    Unit: line.Unit.trim(),
    TargetPrice: line.TargetPrice.trim() || null,
  })),
  CategoryId: CategoryId ? Number(CategoryId) : null,
  NeedBy: NeedBy || null,
  Remark: Remark.trim(),
  FileIds: files.map(({ FileId }) => FileId),
})
