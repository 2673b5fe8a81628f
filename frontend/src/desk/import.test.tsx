import { Form, Input } from 'antd'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { QueryClientProvider } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { testClient } from '@/test/render'
import { answer, refuse, sent } from '@/test/server'
import { toast } from '@/ui/toast'
import { textColumn } from './columns'
import { DeskProvider } from './DeskProvider'
import { ImportDialog, type ImportDialogProps } from './ImportDialog'

const close = vi.fn<() => void>()
const show = (kind?: string, proof?: ImportDialogProps['proof']) =>
  render(
    <QueryClientProvider client={testClient()}>
      <DeskProvider>
        <ImportDialog
          title="导入账号"
          noun="个账号"
          {...(kind ? { kind } : {})}
          {...(proof ? { proof } : {})}
          url="/api/Account/Import"
          template="/api/Account/Template"
          hint="最多 5,000 行。"
          columns={[textColumn('账号', ({ UserName }) => UserName)]}
          touched={[]}
          onClose={close}
        />
      </DeskProvider>
    </QueryClientProvider>,
  )
const choose = () =>
  userEvent.upload(screen.getByLabelText('选择表格'), new File(['x'], '账号.xlsx'))
const TWO_ROWS = {
  Total: 2,
  Wrong: 0,
  Rows: [],
  Imported: 0,
  Created: 2,
  Updated: 0,
  Unchanged: 0,
}
const preview = (Wrong: number, Errors: string[] = []) =>
  answer('post', '/api/Account/Import', {
    Total: 2,
    Wrong,
    Rows: [{ Row: 2, UserName: 'zhang.san', Errors }],
    Imported: 2,
    Created: 2,
    Updated: 0,
    Unchanged: 0,
  })

test('a sheet without a right row says why, and nothing can be written', async () => {
  preview(2, ['请填写昵称'])
  show()
  await choose()
  expect(await screen.findByText('请填写昵称')).toBeInTheDocument()
  expect(screen.getByRole('status')).toHaveTextContent('共 2 行，2 行不正确')
  expect(screen.getByRole('button', { name: /导入$/ })).toBeDisabled()
})

test('the right rows are written without the wrong ones, which can be downloaded', async () => {
  preview(1, ['请填写昵称'])
  show()
  await choose()
  await userEvent.click(await screen.findByRole('button', { name: /只导入正确的 1 个账号/ }))
  expect(await screen.findByText(/其余的行已导入/)).toBeInTheDocument()
  expect(sent.at(-1)?.body).toContain('GoodOnly')
  expect(screen.getByRole('button', { name: /下载不正确的 1 行/ })).toBeEnabled()
  expect(screen.getByRole('button', { name: /导入$/ })).toBeDisabled()
})

test('foreign headers are mapped to the columns of the template', async () => {
  refuse('post', '/api/Account/Import', {
    code: 'file_refused',
    message: '表头与模板不一致，缺少：昵称',
    body: { Headers: ['花名'], Columns: ['昵称'] },
  })
  show()
  await choose()
  expect(await screen.findByLabelText('花名 对应的内容')).toBeInTheDocument()
  preview(0)
  await userEvent.click(screen.getByRole('button', { name: '按此对应检查' }))
  expect(await screen.findByRole('button', { name: /导入 2 个账号$/ })).toBeEnabled()
  expect(sent.at(-1)?.body).toContain('{"花名":""}')
})

test('a remembered mapping is named and can be changed', async () => {
  const Mapping = { Columns: { 花名: '姓名', 备注: '' }, Choices: ['昵称', '姓名'] }
  answer('post', '/api/Account/Import', { ...TWO_ROWS, Mapping })
  show()
  await choose()
  expect(await screen.findByText('按上次的列对应：花名 → 姓名；备注 → 不导入')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: '修改' }))
  expect(screen.queryByText(/按上次的列对应/)).not.toBeInTheDocument()
  await userEvent.click(screen.getByLabelText('花名 对应的内容'))
  await userEvent.click(await screen.findByTitle('昵称'))
  await userEvent.click(screen.getByRole('button', { name: '按此对应检查' }))
  expect(await screen.findByText(/按所选的列对应/)).toBeVisible()
  expect(sent.at(-1)?.body).toContain('{"花名":"昵称","备注":""}')
})

test('a right sheet is written when it is confirmed', async () => {
  preview(0)
  show()
  await choose()
  await userEvent.click(await screen.findByRole('button', { name: /导入 2 个账号$/ }))
  await waitFor(() => expect(close).toHaveBeenCalledOnce())
})

test('a sheet that another request is still writing shows how far it is', async () => {
  const info = vi.spyOn(toast, 'info')
  const counts = { Created: 1, Updated: 0, Unchanged: 0 }
  answer('post', '/api/Account/Import', { Total: 2, Wrong: 0, Rows: [], Imported: 1, ...counts })
  show()
  await choose()
  await userEvent.click(await screen.findByRole('button', { name: /导入 2 个账号$/ }))
  await waitFor(() =>
    expect(info).toHaveBeenCalledWith('正在导入，已写入 1 / 2 个账号，可以离开此页，稍后刷新查看'),
  )
})

const run = (State: string, Imported: number, more: object = {}) => ({
  Id: '7',
  State,
  StateText: { writing: '正在写入', done: '已完成', taking_back: '已取消，正在撤回' }[State],
  Total: 2940,
  Imported,
  LeftOut: 60,
  HasWrongSheet: true,
  Before: 0,
  IsOpen: State !== 'done',
  MadeAt: '2026-11-27T10:00:00+08:00',
  EndedAt: null,
  ...more,
})

test('an import that goes on in the background shows its progress until it has ended', async () => {
  const success = vi.spyOn(toast, 'success')
  answer('get', '/api/Import', [])
  preview(1, ['请填写昵称'])
  show('accounts')
  await choose()
  const counts = { Created: 1750, Updated: 0, Unchanged: 0 }
  const done = { Total: 2940, Wrong: 0, Rows: [], Imported: 1750, ...counts }
  await screen.findByText('请填写昵称')
  answer('post', '/api/Account/Import', done)
  answer('get', '/api/Import', [run('writing', 1750)])
  await userEvent.click(screen.getByRole('button', { name: /只导入正确的 1 个账号/ }))

  expect(await screen.findByText(/其余的行正在导入/)).toBeInTheDocument()
  expect(screen.queryByText(/其余的行已导入/)).not.toBeInTheDocument()
  expect(
    await screen.findByText(/已写入 1,750 \/ 2,940 个账号；另有 60 行不正确未导入/),
  ).toBeInTheDocument()
  expect(screen.getByLabelText('导入进度')).toHaveTextContent('59%')
  answer('get', '/api/Import', [run('done', 2940)])
  expect(
    await screen.findByText(/其余的行已导入/, undefined, { timeout: 4000 }),
  ).toBeInTheDocument()
  expect(success).toHaveBeenCalledWith('已导入 2,940 个账号')
})

test('the rows that an earlier import left out can be downloaded', async () => {
  answer('get', '/api/Import', [run('done', 2940)])
  answer('get', '/api/Import/{Id}/WrongRows', null)
  show('accounts')
  await userEvent.click(await screen.findByRole('button', { name: '下载未导入的 60 行' }))
  expect(sent.some(({ url }) => url.pathname === '/api/Import/7/WrongRows')).toBe(true)
})

test('a running import is shown when the dialog is opened again, and can be cancelled', async () => {
  answer('get', '/api/Import', [run('writing', 100, { Before: 2 })])
  answer('post', '/api/Import/{Id}/Cancel', run('taking_back', 100))
  show('accounts')
  expect(await screen.findByText(/等待后台写入，前面还有 2 项任务/)).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: '取消导入' }))
  expect(await screen.findByText(/撤回已写入的行；之后被修改或使用的行保留/)).toBeInTheDocument()
  answer('get', '/api/Import', [run('taking_back', 100)])
  const buttons = screen.getAllByRole('button', { name: '取消导入' })
  await userEvent.click(buttons.at(-1) as HTMLElement)
  expect(await screen.findByText(/还剩 100 个账号待撤回/)).toBeInTheDocument()
  expect(sent.some(({ url }) => url.pathname === '/api/Import/7/Cancel')).toBe(true)
})

test('a file that is no such sheet says so', async () => {
  refuse('post', '/api/Account/Import', { code: 'file_refused', message: '表头与模板不一致' })
  show()
  await choose()
  expect(await screen.findByRole('alert')).toHaveTextContent('表头与模板不一致')
})

test('a sheet that changes nothing says so, before and after the import', async () => {
  const counts = { Created: 0, Updated: 0, Unchanged: 300 }
  answer('post', '/api/Account/Import', {
    Total: 300,
    Wrong: 0,
    Rows: [],
    Imported: 300,
    ...counts,
  })
  const success = vi.spyOn(toast, 'success')
  show()
  await choose()
  expect(await screen.findByText(/确认后一次导入：新增 0，修改 0，不变 300/)).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: /导入 300 个账号/ }))
  await waitFor(() =>
    expect(success).toHaveBeenCalledWith('已导入 300 个账号：新增 0，修改 0，不变 300'),
  )
})

const PROOF: NonNullable<ImportDialogProps['proof']> = {
  fields: (
    <Form.Item name="Password" label="登录密码" rules={[{ required: true, message: '请输入' }]}>
      <Input />
    </Form.Item>
  ),
  getExtra: (values) => values as Record<string, string>,
}

test('a sheet that needs a proof is checked without one and written with it', async () => {
  preview(0)
  show(undefined, PROOF)
  await choose()
  const ok = await screen.findByRole('button', { name: /导入 2 个账号$/ })
  const requests = sent.length
  await userEvent.click(ok)
  expect(await screen.findByText('请输入')).toBeInTheDocument()
  expect(sent).toHaveLength(requests)

  refuse('post', '/api/Account/Import', {
    code: 'validation',
    message: '请检查输入',
    body: { Errors: { Password: ['登录密码不正确，请重新输入'] } },
  })
  await userEvent.type(screen.getByLabelText('登录密码'), 'mine')
  await userEvent.click(ok)
  expect(await screen.findByText('登录密码不正确，请重新输入')).toBeInTheDocument()
  expect(screen.queryByText('请检查输入')).toBeNull()
  expect(sent.at(-1)?.body).toContain('name="Password"\r\n\r\nmine')
})

test('a refusal that names no field of the proof is shown', async () => {
  preview(0)
  show(undefined, PROOF)
  await choose()
  await userEvent.type(await screen.findByLabelText('登录密码'), 'mine')
  refuse('post', '/api/Account/Import', {
    code: 'validation',
    message: '有 1 行不正确，未导入任何账号',
    body: { Errors: { File: ['有 1 行不正确，未导入任何账号'] } },
  })
  await userEvent.click(screen.getByRole('button', { name: /导入 2 个账号$/ }))
  expect(await screen.findByRole('alert')).toHaveTextContent('有 1 行不正确，未导入任何账号')
})
