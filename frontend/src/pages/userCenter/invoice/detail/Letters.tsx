import { useState } from 'react'
import { Link } from 'react-router-dom'
import { DocumentCard } from '@/desk/DocumentPage'
import { StatusTag } from '@/desk/StatusTag'
import { useRedAnswer, useRedWithdraw, type InvoiceDetail } from '@/domain/invoices/invoices'
import { redTone } from '@/domain/invoices/status'
import { ReasonDialog } from '@/domain/orders/ReasonDialog'
import { yuan } from '@/lib/money'
import { paths } from '@/lib/paths'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { toast } from '@/ui/toast'
import styles from './detail.module.css'

type Letter = InvoiceDetail['RedLetters'][number]

/** The state, and who must act until when. */
function stateText({ Status, ExpiresAt, Answer }: Letter): string {
  if (Status === 'awaits_seller')
    return `等待销方在 ${formatTime(ExpiresAt)} 前确认，72 小时内未确认自动作废`
  if (Status === 'awaits_buyer')
    return `请贵司在 ${formatTime(ExpiresAt)} 前确认，72 小时内未确认自动作废`
  if (Status === 'confirmed') return '双方已确认，正在开具红字发票'
  if (Status === 'issued') return '红字发票已开具，对应数量可重新申请开票'
  if (Status === 'refused') return `确认单被否认${Answer ? `：${Answer}` : ''}，原发票仍有效`
  if (Status === 'expired') return '72 小时内未确认，已自动作废；如仍需红冲，请重新申请'
  return '已撤销，原发票仍有效'
}

function LetterActions({ invoiceId, letter }: { invoiceId: string; letter: Letter }) {
  const answer = useRedAnswer()
  const withdraw = useRedWithdraw()
  const [asking, setAsking] = useState<'agree' | 'refuse' | 'withdraw' | null>(null)
  const close = (): void => setAsking(null)
  const send = (IsAgreed: boolean, Reason: string): void =>
    answer.mutate(
      { Id: invoiceId, body: { RedNo: letter.RedNo, IsAgreed, Reason } },
      { onSuccess: () => toast.success(IsAgreed ? '已确认红冲' : '已否认红冲'), onSettled: close },
    )
  const what = `红字发票信息确认单 ${letter.RedNo}，红冲金额 ${yuan(letter.Amount)}。`
  return (
    <span className={styles.acts}>
      {letter.AllowedActions.includes('answer') && (
        <>
          <Button size="s" look="primary" onClick={() => setAsking('agree')}>
            确认红冲
          </Button>
          <Button size="s" onClick={() => setAsking('refuse')}>
            否认
          </Button>
        </>
      )}
      {letter.AllowedActions.includes('withdraw') && (
        <Button size="s" onClick={() => setAsking('withdraw')}>
          撤销
        </Button>
      )}
      {asking === 'agree' && (
        <ReasonDialog
          title="确认红冲"
          text={`${what}确认后开具红字发票，不能撤回。`}
          label="说明"
          confirm="确认红冲"
          open
          isBusy={answer.isPending}
          onClose={close}
          onConfirm={(reason) => send(true, reason)}
        />
      )}
      {asking === 'refuse' && (
        <ReasonDialog
          title="否认红冲"
          text={`${what}否认后确认单关闭，原发票仍有效。`}
          label="否认原因"
          confirm="否认"
          required
          danger
          open
          isBusy={answer.isPending}
          onClose={close}
          onConfirm={(reason) => send(false, reason)}
        />
      )}
      {asking === 'withdraw' && (
        <ReasonDialog
          title="撤销红冲申请"
          text={`${what}撤销后原发票仍有效。`}
          label="说明"
          confirm="撤销"
          open
          isBusy={withdraw.isPending}
          onClose={close}
          onConfirm={() =>
            withdraw.mutate(
              { Id: invoiceId, RedNo: letter.RedNo },
              { onSuccess: () => toast.success('红冲申请已撤销'), onSettled: close },
            )
          }
        />
      )}
    </span>
  )
}

/** The requests for red invoices, newest first. */
export function Letters({ data }: { data: InvoiceDetail }) {
  return (
    <DocumentCard title="红冲记录">
      <ol className={styles.letters}>
        {data.RedLetters.map((letter) => (
          <li key={letter.RedNo}>
            <div className={styles.letter}>
              <b>{letter.RedNo}</b>
              <StatusTag text={letter.StatusText} tone={redTone(letter.Status)} />
              <span>
                {letter.ReasonText} · 红冲 {yuan(letter.Amount)}（税额 {yuan(letter.Tax)}）
              </span>
              <LetterActions invoiceId={data.Id} letter={letter} />
            </div>
            <p>{stateText(letter)}</p>
            <p className={styles.quiet}>
              {formatTime(letter.OpenedAt)} 由{' '}
              {letter.OpenedBy?.Name ?? (letter.IsForReturn ? '系统（退货）' : '系统')} 发起
              {letter.Note && ` · ${letter.Note}`}
              {' · '}
              {letter.Lines.map(({ Name, Quantity }) => `${Name} × ${Quantity}`).join('、')}
              {letter.RedInvoiceId && letter.RedInvoiceNo && (
                <>
                  {' · '}
                  <Link to={paths.invoice(letter.RedInvoiceId)}>
                    红字发票 {letter.RedInvoiceNo}
                  </Link>
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
    </DocumentCard>
  )
}
