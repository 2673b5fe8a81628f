import type { UploadedFile } from '@/api/upload'
import type { LineTerms, ReturnBody } from '@/domain/returns/returns'
import { fromFen, toFen } from '@/lib/money'

type Kind = ReturnBody['Kind']
type Reason = ReturnBody['Reason']
type Way = ReturnBody['Way']

/** The draft. It contains a line after the person selects it. */
export interface Draft {
  Kind: Kind
  Reason: Reason | ''
  Way: Way
  Detail: string
  VideoUrl: string
  Pickup: string
  Files: UploadedFile[]
  Lines: Readonly<Record<string, { Quantity: number; Opened: boolean }>>
}

export const KINDS: readonly { value: Kind; label: string; text: string }[] = [
  { value: 'return', label: '退货', text: '退回商品，按下单价格退款' },
  { value: 'exchange', label: '换货', text: '退回商品，另发同款新品' },
  { value: 'repair', label: '维修', text: '修好后寄回给您' },
]

const REASONS: readonly { value: Reason; label: string }[] = [
  { value: 'quality', label: '质量问题' },
  { value: 'damaged', label: '收到时破损' },
  { value: 'short', label: '少件' },
  { value: 'wrong', label: '发错货' },
  { value: 'unsuitable', label: '不合用或多买了' },
]

export const reasonsOf = (kind: Kind): readonly { value: Reason; label: string }[] =>
  kind === 'repair' ? REASONS.slice(0, 1) : REASONS

const emptyDraft: Draft = {
  Kind: 'return',
  Reason: '',
  Way: 'pickup',
  Detail: '',
  VideoUrl: '',
  Pickup: '',
  Files: [],
  Lines: {},
}

/**
 * Adjust the draft to a new kind or reason: a repair is for defects, and missing goods are not sent
 * back.
 */
export function changeDraft(draft: Draft, change: Partial<Draft>): Draft {
  const next = { ...draft, ...change }
  if (!reasonsOf(next.Kind).some(({ value }) => value === next.Reason))
    next.Reason = next.Kind === 'repair' ? 'quality' : ''
  if (next.Reason === 'short') next.Way = 'none'
  else if (next.Way === 'none') next.Way = 'pickup'
  return next
}

/** The first draft, with the first kind that is possible for a line of the order. */
export function firstDraft(lines: readonly LineTerms[]): Draft {
  const open = KINDS.find(({ value }) =>
    lines.some(({ Kinds }) => Kinds.some(({ Kind, WhyNot }) => Kind === value && !WhyNot)),
  )
  return changeDraft(emptyDraft, { Kind: open?.value ?? 'return' })
}

/** Why this line cannot be requested with the current choices; empty if it can. */
export function whyNot(line: LineTerms, { Kind, Reason }: Draft): string {
  const terms = line.Kinds.find(({ Kind: kind }) => kind === Kind)
  if (!terms) return '暂不能申请'
  if (terms.WhyNot) return terms.WhyNot
  return Reason && !terms.Reasons.includes(Reason)
    ? '该原因的申请期限已过，如有质量问题请改选“质量问题”'
    : ''
}

export const chosen = (lines: readonly LineTerms[], draft: Draft): LineTerms[] =>
  lines.filter((line) => draft.Lines[line.OrderLineId] && !whyNot(line, draft))

/** The value of the selected pieces, the maximum refund. */
export const sumWorth = (lines: readonly LineTerms[], draft: Draft): string =>
  fromFen(
    chosen(lines, draft).reduce(
      (total, line) =>
        total + toFen(line.UnitPrice) * (draft.Lines[line.OrderLineId]?.Quantity ?? 0),
      0,
    ),
  )

/** Check the draft before the request. The keys are those of the server's field errors. */
export function findMissing(lines: readonly LineTerms[], draft: Draft): Record<string, string> {
  const found: Record<string, string> = {}
  if (!draft.Reason) found.Reason = '请选择原因'
  if (!chosen(lines, draft).length) found.Lines = '请至少选择一件商品'
  if (draft.VideoUrl && !/^https:\/\/\S+$/i.test(draft.VideoUrl.trim()))
    found.VideoUrl = '视频链接须以 https:// 开头'
  return found
}

export const bodyOf = (OrderNo: string, lines: readonly LineTerms[], draft: Draft): ReturnBody => ({
  OrderNo,
  Kind: draft.Kind,
  Reason: draft.Reason || 'quality',
  Way: draft.Way,
  Lines: chosen(lines, draft).map(({ OrderLineId }) => ({
    OrderLineId: Number(OrderLineId),
    Quantity: draft.Lines[OrderLineId]?.Quantity ?? 1,
    Opened: draft.Lines[OrderLineId]?.Opened ?? false,
  })),
  Detail: draft.Detail.trim(),
  FileIds: draft.Files.map(({ FileId }) => FileId),
  VideoUrl: draft.VideoUrl.trim(),
  Pickup: draft.Way === 'pickup' ? draft.Pickup.trim() : '',
})
