import { Form, Input } from 'antd'
import type { UploadedFile } from '@/api/upload'
import { FileUpload } from '@/desk/FileUpload'
import { FormDialog } from '@/desk/FormDialog'
import { useQualify, type InvoiceTitle } from '@/domain/invoices/invoices'
import { getMissing } from '@/domain/invoices/status'
import { toast } from '@/ui/toast'

interface Values {
  FileIds: UploadedFile[]
  Note: string
}

const PAPERS = {
  types: ['image/jpeg', 'image/png', 'application/pdf'],
  maxMb: 20,
  typeMessage: '请上传 JPG、PNG 或 PDF 文件',
}

/** The documents that qualify a title for special invoices. */
export function QualificationDialog({
  title,
  onClose,
}: {
  title: InvoiceTitle
  onClose: () => void
}) {
  const qualify = useQualify()
  const missing = getMissing(title)
  const save = async ({ FileIds, Note }: Values): Promise<void> => {
    await qualify.mutateAsync({
      Id: title.Id,
      body: { FileIds: FileIds.map(({ FileId }) => FileId), Note: Note.trim() },
    })
    toast.success('专票资质已提交，审核结果将通知您')
  }
  return (
    <FormDialog<Values>
      title={`提交专票资质 · ${title.Title}`}
      open
      onClose={onClose}
      onSubmit={save}
      initialValues={{ FileIds: [], Note: '' }}
      okText="提交审核"
    >
      {missing.length > 0 && (
        <p role="alert">请先编辑抬头，补全{missing.join('、')}，再提交专票资质。</p>
      )}
      <p>请上传营业执照、一般纳税人证明等材料，平台一般 1 个工作日内审核，通过后即可开具专票。</p>
      <Form.Item
        name="FileIds"
        label="证明材料"
        rules={[{ required: true, type: 'array', min: 1, message: '请上传 1 至 5 个证明文件' }]}
      >
        <FileUpload rules={PAPERS} max={5} label="上传材料" hint="JPG、PNG 或 PDF，1 至 5 个" />
      </Form.Item>
      <Form.Item name="Note" label="说明">
        <Input.TextArea rows={2} maxLength={300} />
      </Form.Item>
    </FormDialog>
  )
}
