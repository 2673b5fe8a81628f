import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Form, Input } from 'antd'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '@/api/errors'
import { renderAt } from '@/test/render'
import { actionsColumn } from './columns'
import { DeskProvider } from './DeskProvider'
import { DataTable } from './DataTable'
import { FormDialog } from './FormDialog'
import { FilterChoice, LiveFilters } from './LiveFilters'
import { StatusTabs } from './StatusTabs'
import { readPage, useFilters } from '@/lib/useFilters'

interface Row {
  Id: string
}

test("the spec's page sizes only; nonsense becomes page 1 of 20", () => {
  expect(readPage(new URLSearchParams('PageIndex=3&PageSize=50'))).toEqual({
    PageIndex: 3,
    PageSize: 50,
  })
  expect(readPage(new URLSearchParams('PageIndex=-1&PageSize=7'))).toEqual({
    PageIndex: 1,
    PageSize: 20,
  })
})

test('the states of a list keep their place until they come; one that seldom holds anything shows when it does', () => {
  const tabs = (Count: number) => [
    { Code: '', Name: '全部', Count: 3 },
    { Code: 'red', Name: '已红冲', Count },
  ]
  const states = (given: ReturnType<typeof tabs> | undefined, failed = false) => (
    <StatusTabs
      label="状态"
      tabs={given}
      always={new Set([''])}
      value={undefined}
      hasFailed={failed}
      onChange={() => undefined}
    />
  )
  const { container, rerender } = render(states(undefined))
  expect(container.firstElementChild).toHaveStyle({ height: '43px' })
  rerender(states(tabs(0)))
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['全部3'])
  rerender(states(tabs(1)))
  expect(screen.getAllByRole('tab')).toHaveLength(2)
  rerender(states(undefined, true))
  expect(container).toBeEmptyDOMElement()
})

const read = (params: URLSearchParams) => ({
  ...readPage(params),
  Status: params.get('Status') ?? undefined,
})

function Screen() {
  const [filters, setFilters] = useFilters(read)
  return (
    <>
      <p>{JSON.stringify(filters)}</p>
      <button type="button" onClick={() => setFilters({ Status: 'x' })}>
        筛选
      </button>
      <button type="button" onClick={() => setFilters({ PageIndex: 4 })}>
        翻页
      </button>
    </>
  )
}

test('a filter goes back to page 1, a page keeps the filters', async () => {
  const page = renderAt('/list?PageIndex=3', Screen)
  await userEvent.click(screen.getByText('筛选'))
  await waitFor(() => expect(page.location()).toBe('/list?Status=x'))
  await userEvent.click(screen.getByText('翻页'))
  await waitFor(() => expect(page.location()).toBe('/list?PageIndex=4&Status=x'))
})

test('an action that is refused now says why', async () => {
  const act = vi.fn<(row: Row) => void>()
  const columns = [
    actionsColumn<Row>([{ label: '取消', onClick: act, refusal: () => '已发货，不能取消' }]),
  ]
  render(
    <DataTable<Row>
      rowKey="Id"
      page={{ Items: [{ Id: '1' }], Total: 1, PageIndex: 1, PageSize: 20 }}
      columns={columns}
    />,
  )
  const button = screen.getByRole('button', { name: '取消' })
  expect(button).toBeDisabled()
  await userEvent.hover(button)
  expect(await screen.findByText('已发货，不能取消')).toBeInTheDocument()
})

test('no page is offered that the server does not turn to', () => {
  render(
    <DataTable<Row>
      rowKey="Id"
      page={{ Items: [{ Id: '1' }], Total: 110_985, PageIndex: 1, PageSize: 20 }}
      columns={[]}
      onPage={vi.fn<() => void>()}
    />,
  )
  expect(screen.getByText('共 110,985 条，可翻看前 10,000 条')).toBeInTheDocument()
  expect(screen.getByRole('listitem', { name: '500' })).toBeInTheDocument()
  expect(screen.queryByRole('listitem', { name: '5550' })).toBeNull()
})

test('an empty list says so in its own words', () => {
  render(
    <DataTable<Row>
      rowKey="Id"
      page={{ Items: [], Total: 0, PageIndex: 1, PageSize: 20 }}
      columns={[]}
      empty={{ title: '还没有订单' }}
    />,
  )
  expect(screen.getByText('还没有订单')).toBeInTheDocument()
})

test('a list that cannot be loaded offers another try', async () => {
  const retry = vi.fn<() => void>()
  render(
    <DataTable<Row>
      rowKey="Id"
      page={undefined}
      error={new ApiError('服务器故障', 'x', 500)}
      onRetry={retry}
      columns={[]}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: '重新加载' }))
  expect(retry).toHaveBeenCalledOnce()
})

test('a refused field is told at the field, and the dialog stays', async () => {
  const close = vi.fn<() => void>()
  const refuse = () =>
    Promise.reject(new ApiError('请检查', 'validation', 200, { Errors: { Name: ['名称已存在'] } }))
  render(
    <DeskProvider>
      <FormDialog<{ Name: string }>
        title="新增"
        open
        onClose={close}
        onSubmit={refuse}
        initialValues={{ Name: '甲' }}
      >
        <Form.Item name="Name" label="名称">
          <Input />
        </Form.Item>
      </FormDialog>
    </DeskProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  expect(await screen.findByText('名称已存在')).toBeInTheDocument()
  expect(close).not.toHaveBeenCalled()
})

function Opener({ onSubmit }: { onSubmit: (values: object) => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <DeskProvider>
      <button type="button" onClick={() => setOpen(true)}>
        打开
      </button>
      {isOpen && (
        <FormDialog title="新增" open onClose={() => setOpen(false)} onSubmit={onSubmit}>
          <Form.Item name="Name" label="名称">
            <Input />
          </Form.Item>
          <Form.Item name="Code" label="编码">
            <Input />
          </Form.Item>
        </FormDialog>
      )}
    </DeskProvider>
  )
}

test('a dialog that leaves the page after Escape returns the focus', async () => {
  render(<Opener onSubmit={() => Promise.resolve()} />)
  await userEvent.click(screen.getByRole('button', { name: '打开' }))
  await userEvent.click(await screen.findByLabelText('名称'))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('button', { name: '打开' })).toHaveFocus()
})

test('the button of a dialog submits its form, so that Enter does as well', async () => {
  const submit = vi.fn<(values: object) => Promise<unknown>>(() => Promise.resolve())
  render(<Opener onSubmit={submit} />)
  await userEvent.click(screen.getByRole('button', { name: '打开' }))
  await userEvent.type(await screen.findByLabelText('名称'), '甲')
  const save = screen.getByRole<HTMLButtonElement>('button', { name: '保存' })
  expect(save.type).toBe('submit')
  expect(save.form).toContainElement(screen.getByLabelText('编码'))
  await userEvent.click(save)
  await waitFor(() => expect(submit).toHaveBeenCalledExactlyOnceWith({ Name: '甲' }))
})

test('a page beyond the last says so and leads back, whatever the words for an empty list', async () => {
  const onPage = vi.fn<(page: object) => void>()
  render(
    <DataTable<Row>
      rowKey="Id"
      page={{ Items: [], Total: 138, PageIndex: 99, PageSize: 20 }}
      columns={[]}
      onPage={onPage}
      empty={{ title: '还没有订单' }}
    />,
  )
  expect(screen.getByText('共 138 条，请翻到前面的页')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: '回到第一页' }))
  expect(onPage).toHaveBeenCalledWith({ PageIndex: 1, PageSize: 20 })
})

test('a phone folds the filters beside the keyword, and says how many of them are set', async () => {
  const value = { Keyword: '纸', Kind: 'a', State: undefined }
  render(
    <DeskProvider>
      <LiveFilters
        value={value}
        placeholder="编码"
        width={100}
        nothing={{ Keyword: undefined, Kind: undefined, State: undefined }}
        onChange={() => undefined}
      >
        <FilterChoice
          label="类别"
          width={100}
          value="a"
          options={[{ value: 'a', label: '甲' }]}
          onChange={() => undefined}
        />
      </LiveFilters>
    </DeskProvider>,
  )
  const button = screen.getByRole('button', { name: '更多筛选（1）', hidden: true })
  expect(button).toHaveAttribute('aria-expanded', 'false')
  await userEvent.click(button)
  expect(screen.getByRole('button', { name: '收起筛选' })).toHaveAttribute('aria-expanded', 'true')
})
