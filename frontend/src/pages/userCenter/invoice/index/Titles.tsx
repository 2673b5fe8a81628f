import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Popconfirm } from 'antd'
import { useState } from 'react'
import {
  invoiceOptions,
  titles,
  useChangeTitle,
  useDeactivateTitle,
  useDefaultTitle,
  type InvoiceTitle,
} from '@/domain/invoices/invoices'
import { getQualification } from '@/domain/invoices/status'
import { formatTime } from '@/lib/time'
import { cx } from '@/ui/cx'
import { Tag } from '@/ui/Small'
import { Empty, ErrorState, Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './apply.module.css'
import { QualificationDialog } from './QualificationDialog'
import { TitleDialog } from './TitleDialog'

type DialogState = { kind: 'add' } | { kind: 'edit' | 'qualify'; title: InvoiceTitle }

function Facts({ title }: { title: InvoiceTitle }) {
  const rows = [
    ['税号', title.TaxNumber],
    ['电话', title.Phone],
    ['地址', title.Address],
    ['开户行', title.Bank],
    ['账号', title.BankAccount],
    ['企业', title.EnterpriseName],
  ]
  return (
    <dl>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || '—'}</dd>
        </div>
      ))}
    </dl>
  )
}

function Standing({ title }: { title: InvoiceTitle }) {
  const { means } = getQualification(title)
  const { Qualification } = title
  return (
    <p className={styles.hint}>
      {means}
      {Qualification && `（${formatTime(Qualification.SubmittedAt)} 提交）`}
      {Qualification?.Files.map(({ FileId, Name, Url }) => (
        <a key={FileId} href={Url} target="_blank" rel="noreferrer">
          {' '}
          {Name}
        </a>
      ))}
    </p>
  )
}

const toastOnSuccess = (text: string) => ({ onSuccess: () => toast.success(text) })

function TitleActions({
  title,
  onDo,
}: {
  title: InvoiceTitle
  onDo: (openDialog: DialogState) => void
}) {
  const change = useChangeTitle()
  const deactivate = useDeactivateTitle()
  const makeDefault = useDefaultTitle()
  if (!title.IsActive)
    return (
      <span className={styles.titleActs}>
        <Button
          type="link"
          size="small"
          loading={change.isPending}
          onClick={() =>
            change.mutate(
              { Id: title.Id, body: { IsActive: true, UpdatedAt: title.UpdatedAt } },
              { ...toastOnSuccess('抬头已启用'), onError: (error) => toast.error(error.message) },
            )
          }
        >
          启用
        </Button>
      </span>
    )
  return (
    <span className={styles.titleActs}>
      <Button type="link" size="small" onClick={() => onDo({ kind: 'edit', title })}>
        编辑
      </Button>
      {getQualification(title).mayApply && (
        <Button type="link" size="small" onClick={() => onDo({ kind: 'qualify', title })}>
          提交专票资质
        </Button>
      )}
      {!title.IsDefault && (
        <Button
          type="link"
          size="small"
          loading={makeDefault.isPending}
          onClick={() => makeDefault.mutate(title.Id, toastOnSuccess('已设为默认抬头'))}
        >
          设为默认
        </Button>
      )}
      <Popconfirm
        title={`停用“${title.Title}”？`}
        description="停用后下单和开票都不能再选，已开发票不受影响"
        okText="停用"
        onConfirm={() => deactivate.mutate(title.Id, toastOnSuccess('抬头已停用'))}
      >
        <Button type="link" size="small" danger>
          停用
        </Button>
      </Popconfirm>
    </span>
  )
}

function List({
  rows,
  canKeep,
  onDo,
}: {
  rows: readonly InvoiceTitle[]
  canKeep: boolean
  onDo: (openDialog: DialogState) => void
}) {
  if (!rows.length)
    return (
      <Empty title="还没有开票抬头" icon="invoice">
        {canKeep ? '新增抬头后，下单和申请开票时即可选择' : '请联系贵司财务或管理员新增抬头'}
      </Empty>
    )
  return (
    <ul className={styles.titles} aria-label="开票抬头">
      {rows.map((title) => {
        const { text, tone } = getQualification(title)
        return (
          <li key={title.Id} className={cx(!title.IsActive && styles.off)}>
            <h3>
              {title.Title}
              {title.IsDefault && <Tag tone="brand">默认</Tag>}
              {title.IsActive ? <Tag tone={tone}>{text}</Tag> : <Tag>已停用</Tag>}
            </h3>
            <Facts title={title} />
            {title.IsActive && <Standing title={title} />}
            {canKeep && <TitleActions title={title} onDo={onDo} />}
          </li>
        )
      })}
    </ul>
  )
}

/**
 * The titles of an enterprise and their 专票资质. Buttons are shown to people who may change them.
 */
export default function Titles({
  enterpriseId,
  onClose,
}: {
  enterpriseId: string | undefined
  onClose: () => void
}) {
  const [openDialog, setOpenDialog] = useState<DialogState | null>(null)
  const { data, error, refetch } = useQuery(titles(enterpriseId))
  const { data: options } = useQuery(invoiceOptions)
  const canKeep = options?.CanKeepTitles ?? false
  const close = (): void => setOpenDialog(null)
  return (
    <Drawer
      title="开票抬头"
      open
      onClose={onClose}
      size={640}
      styles={{ wrapper: { maxWidth: '100vw' } }}
    >
      <div className={styles.top}>
        <span>
          {canKeep
            ? '抬头由企业统一维护，修改不影响已开发票'
            : '抬头由企业统一维护，您可以使用，不能修改'}
        </span>
        {canKeep && (
          <Button type="primary" onClick={() => setOpenDialog({ kind: 'add' })}>
            新增抬头
          </Button>
        )}
      </div>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading height={360} />}
      {data && <List rows={data.Items} canKeep={canKeep} onDo={setOpenDialog} />}
      {openDialog?.kind === 'add' && (
        <TitleDialog title={null} enterpriseId={enterpriseId} onClose={close} />
      )}
      {openDialog?.kind === 'edit' && (
        <TitleDialog title={openDialog.title} enterpriseId={enterpriseId} onClose={close} />
      )}
      {openDialog?.kind === 'qualify' && (
        <QualificationDialog title={openDialog.title} onClose={close} />
      )}
    </Drawer>
  )
}
