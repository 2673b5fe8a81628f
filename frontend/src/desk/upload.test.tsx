import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Form } from 'antd'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { plugShell } from '@/api/shell'
import type { UploadedFile } from '@/api/upload'
import { DeskProvider } from '@/desk/DeskProvider'
import { FileUpload } from '@/desk/FileUpload'
import { FormDialog } from '@/desk/FormDialog'
import { narrowToPhone } from '@/test/media'
import { answer, refuse, sent, server } from '@/test/server'
import { Upload, type UploadProps } from '@/ui/Upload'

const errors: string[] = []
const kept = (name: string): UploadedFile => ({
  FileId: name,
  Name: name,
  Size: 2048,
  Url: `/api/File/${name}?sig=x`,
})
const file = (name: string, bytes = 3, type = 'application/pdf'): File =>
  new File([new Uint8Array(bytes)], name, { type })
const choose = (...files: File[]): Promise<void> =>
  userEvent.upload(screen.getByLabelText('上传附件', { selector: 'input' }), files)

function Page(props: UploadProps) {
  const [files, setFiles] = useState<readonly UploadedFile[]>([])
  return <Upload {...props} value={files} onChange={setFiles} />
}

beforeEach(() => {
  errors.length = 0
  plugShell({ error: (message) => errors.push(message) })
})

test('a chosen file is uploaded and listed with its size', async () => {
  answer('post', '/api/File/Execute', kept('合同.pdf'))
  render(<Page />)
  await choose(file('合同.pdf'))
  expect(await screen.findByRole('button', { name: '合同.pdf' })).toBeInTheDocument()
  expect(screen.getByText('2 KB')).toBeInTheDocument()
})

test('on a phone the camera adds a picture', async () => {
  narrowToPhone()
  answer('post', '/api/File/Execute', kept('破损.jpg'))
  render(<Page camera />)
  const lens = screen.getByLabelText('拍照', { selector: 'input' })
  expect(lens).toHaveAttribute('capture', 'environment')
  await userEvent.upload(lens, file('破损.jpg', 3, 'image/jpeg'))
  expect(await screen.findByRole('button', { name: '破损.jpg' })).toBeVisible()
})

test('a wide window has no button for the camera', () => {
  render(<Page camera />)
  expect(screen.queryByRole('button', { name: '拍照' })).toBeNull()
})

test('files that arrive together are all kept', async () => {
  let number = 0
  server.use(
    http.post('/api/File/Execute', () =>
      HttpResponse.json({ MsgHeader: { Success: true }, MsgBody: kept(`${(number += 1)}.pdf`) }),
    ),
  )
  render(<Page />)
  await choose(file('a.pdf'), file('b.pdf'), file('c.pdf'))
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^\d\.pdf/ })).toHaveLength(3))
})

test('what the rules refuse is told and not sent', async () => {
  render(<Page rules={{ maxMb: 1 }} />)
  await choose(file('大.pdf', 1024 * 1024 + 1))
  expect(errors).toEqual(['文件大小不能超过 1MB'])
  expect(sent).toHaveLength(0)
})

test('more than the most are left out, and told', async () => {
  answer('post', '/api/File/Execute', kept('a.pdf'))
  render(<Page max={1} />)
  const input = screen.getByLabelText('上传附件', { selector: 'input' })
  input.setAttribute('multiple', '')
  await choose(file('a.pdf'), file('b.pdf'))
  await screen.findByRole('button', { name: 'a.pdf' })
  expect(errors).toEqual(['最多上传 1 个文件'])
  expect(screen.getByRole('button', { name: '上传附件' })).toBeDisabled()
})

test('one that is on its way shows its progress and can be cancelled', async () => {
  server.use(http.post('/api/File/Execute', () => new Promise<never>(() => undefined)))
  render(<Page />)
  await choose(file('a.pdf'))
  expect(await screen.findByRole('progressbar', { name: 'a.pdf上传进度' })).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: '取消上传a.pdf' }))
  expect(screen.queryByRole('list', { name: '已选文件' })).toBeNull()
  expect(errors).toEqual([])
})

test('one that did not arrive says why and is sent again', async () => {
  refuse('post', '/api/File/Execute', { code: 'file_refused', message: '不支持的文件类型' })
  render(<Page />)
  await choose(file('a.pdf'))
  expect(await screen.findByRole('alert')).toHaveTextContent('不支持的文件类型')
  answer('post', '/api/File/Execute', kept('a.pdf'))
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByRole('button', { name: 'a.pdf' })).toBeInTheDocument()
})

test('one that arrived can be taken out again', async () => {
  answer('post', '/api/File/Execute', kept('a.pdf'))
  render(<Page />)
  await choose(file('a.pdf'))
  await userEvent.click(await screen.findByRole('button', { name: '删除a.pdf' }))
  expect(screen.queryByRole('list', { name: '已选文件' })).toBeNull()
})

test('a form waits for a file that is on its way, and is sent with it', async () => {
  let arrive: (answer: Response) => void = () => undefined
  const onItsWay = new Promise<Response>((resolve) => {
    arrive = resolve
  })
  server.use(http.post('/api/File/Execute', () => onItsWay))
  const submitted: unknown[] = []
  render(
    <DeskProvider>
      <FormDialog<{ Files: UploadedFile[] }>
        title="资质"
        open
        onClose={() => undefined}
        onSubmit={async ({ Files }) => submitted.push(Files)}
      >
        <Form.Item name="Files">
          <FileUpload />
        </Form.Item>
      </FormDialog>
    </DeskProvider>,
  )
  await choose(file('a.pdf'))
  const save = screen.getByRole('button', { name: /^保\s?存$/ })
  await waitFor(() => expect(save).toBeDisabled())
  arrive(HttpResponse.json({ MsgHeader: { Success: true }, MsgBody: kept('a.pdf') }))
  await screen.findByRole('button', { name: 'a.pdf' })
  await userEvent.click(save)
  await waitFor(() => expect(submitted).toEqual([[kept('a.pdf')]]))
})

test('on the desk it is a control of a form', async () => {
  answer('post', '/api/File/Execute', kept('a.pdf'))
  const Watched = () => {
    const [form] = Form.useForm<{ Files: UploadedFile[] }>()
    const files = Form.useWatch('Files', form)
    return (
      <Form form={form}>
        <Form.Item name="Files">
          <FileUpload />
        </Form.Item>
        <output>{JSON.stringify(files)}</output>
      </Form>
    )
  }
  render(
    <DeskProvider>
      <Watched />
    </DeskProvider>,
  )
  await choose(file('a.pdf'))
  await waitFor(() =>
    expect(screen.getByRole('status')).toHaveTextContent(JSON.stringify([kept('a.pdf')])),
  )
})
