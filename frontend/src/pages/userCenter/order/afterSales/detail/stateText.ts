import type { ReturnDetail } from '@/domain/returns/returns'
import { yuan } from '@/lib/money'
import { formatDate, formatTime } from '@/lib/time'

/** The deadline of a step of the mall, or that it is late. */
function describeOwnDeadline({ DueAt, DueByUs }: ReturnDetail): string {
  if (!DueAt || !DueByUs) return ''
  return new Date(DueAt) < new Date()
    ? '；已超过承诺时间，客服会优先处理，也可以留言催办'
    : `，最晚 ${formatTime(DueAt)} 前完成`
}

const ENDS: Readonly<Record<string, string>> = {
  return: '为您退款',
  exchange: '为您寄出新品',
  repair: '维修并寄回给您',
}

/** Explain the next step, its owner and its deadline in one sentence. */
export function stateText(data: ReturnDetail): string {
  const until = formatDate(data.DueAt)
  switch (data.Status) {
    case 'pending_review':
      return `客服正在审核${describeOwnDeadline(data)}`
    case 'rejected':
      return `未通过审核：${data.CloseReason}`
    case 'pending_send':
      return data.Way === 'pickup'
        ? `审核已通过，快递员将上门取件，请把商品和配件包装好${describeOwnDeadline(data)}`
        : `审核已通过，请于 ${until} 前将商品寄至：${data.SendTo}，并填写运单号；逾期将自动撤销`
    case 'pending_receipt':
      return '商品正在寄回途中，我们收到后会尽快检测，物流见下方寄送包裹'
    case 'inspecting':
      return `已收到商品，正在检测${describeOwnDeadline(data)}`
    case 'processing':
      return data.WaitsRed
        ? '商品已开票，发票红冲完成后自动退款，无需您操作'
        : `正在${ENDS[data.Kind] ?? '处理'}${describeOwnDeadline(data)}`
    case 'pending_confirm':
      return `${data.Kind === 'return' && data.RefundedAt ? `已退款 ${yuan(data.RefundAmount)}` : '商品已寄出'}，请核对后确认；${until} 前未确认将自动完成`
    case 'completed':
      return data.Kind === 'return' && data.RefundedAt
        ? `售后已完成，已退款 ${yuan(data.RefundAmount)}`
        : '售后已完成'
    default:
      return `已撤销：${data.CloseReason}`
  }
}
