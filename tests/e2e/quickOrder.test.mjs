// 快速下单: from an empty screen to lines in the cart, by pasting and by a sheet. 采购清单: one list, changed by two people at once.
import assert from 'node:assert/strict'
import { heard, settled } from './browser.mjs'
import { journey } from './people.mjs'

const SHEET = ['采购清单', '编码,数量,备注', '110001,2,前台', 'XLM0000417,10,', '110001,3,会议室', '没有这个编码,1,', '合计,16,'].join('\r\n')

/** Opens the screen and waits for it. */
async function opened(people) {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/product/QuickOrder')
  await settled(page)
  await page.getByRole('heading', { name: '快速下单', level: 1 }).waitFor()
  return page
}

const state = (page, name) => page.getByRole('tablist', { name: '按状态查看' }).getByRole('tab', { name }).waitFor()

journey('a message pasted as it came is chosen, kept over a reload, saved as a list and put into the cart', async (people) => {
  const page = await opened(people)
  await page.getByRole('tab', { name: '粘贴文字' }).click()
  await page.getByLabel('粘贴商品和数量').fill('请帮我订2盒110001，谢谢\n110004 3支\nZY-1103 黑色 1盒\n没有这个东西 1个')
  await page.getByRole('button', { name: '识别商品' }).click()
  await state(page, '可下单2')
  await page.getByRole('group', { name: '第 2 行' }).getByText('10 支起订，数量由 3 调整为 10').waitFor()
  await page.getByRole('group', { name: '第 4 行' }).getByText('没有找到“没有这个东西”').waitFor()
  await page.reload()
  await heard(page, '已恢复上次未完成的 4 行，价格和库存已更新')
  await page.getByRole('group', { name: '第 3 行' }).getByRole('button', { name: /蓝色/ }).click()
  await state(page, '可下单3')
  await page.getByRole('button', { name: '保存为清单' }).click()
  await page.getByLabel('清单名称').fill('前台补货')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('group', { name: '我的清单' }).getByText('前台补货').waitFor()
  await page.getByRole('button', { name: '全部加入购物车' }).click()
  await page.getByText('已把 3 种商品加入购物车').waitFor()
  await page.getByRole('link', { name: '去购物车结算' }).click()
  await page.getByRole('region', { name: '可购买的商品' }).getByText('编码 110002').waitFor()
})

journey('a sheet is read line by line, and its good lines go into the cart', async (people) => {
  const page = await opened(people)
  await page.getByRole('tab', { name: '上传表格' }).click()
  await page.getByLabel('上传表格', { exact: true }).setInputFiles({ name: '采购.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) })
  await state(page, '可下单2')
  await state(page, '已合并1')
  await state(page, '未计入3')
  await page.getByRole('group', { name: '第 3 行' }).getByText('与第 5 行相同，数量已合并').waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出未完成的 1 行' }).click()
  assert.equal((await saved).suggestedFilename(), '快速下单未完成的行.xlsx')
  await page.getByRole('button', { name: '全部加入购物车' }).click()
  await page.getByText('已把 2 种商品加入购物车').waitFor()
})

journey('a shared list that a colleague changed meanwhile is looked at before it is saved, and goes into the cart', async (people) => {
  const { page } = await people({ as: 'buyer' })
  await page.goto('/userCenter/order/quickList')
  await page.getByRole('link', { name: '部门每月常购' }).click()
  const remark = page.getByRole('textbox', { name: /ZY-1103.* 的备注$|中性笔.*0\.38mm\/黑色.* 的备注$/ }).first()
  await remark.fill('前台领用')

  const { page: colleague } = await people({ as: 'xl.zhou' })
  await colleague.goto('/userCenter/order/quickList')
  await colleague.getByRole('link', { name: '部门每月常购' }).click()
  const quantity = colleague.getByRole('textbox', { name: / 的数量$/ }).first()
  await quantity.fill('7')
  await quantity.press('Tab')
  await colleague.getByRole('button', { name: '保存修改' }).click()
  await heard(colleague, '清单已保存')

  await page.getByRole('button', { name: '保存修改' }).click()
  await page.getByRole('alert').getByText(/刚刚修改了此清单/).waitFor()
  assert.equal(await remark.inputValue(), '前台领用')
  await page.getByRole('button', { name: '已核对' }).click()
  await page.getByRole('button', { name: '保存修改' }).click()
  await heard(page, '清单已保存')
  assert.equal(await page.getByRole('textbox', { name: / 的数量$/ }).first().inputValue(), '7')
  await page.getByRole('button', { name: '全部 3 种加入购物车' }).click()
  await page.getByRole('status', { name: '加入购物车的结果' }).getByText('已加入 3 种商品').waitFor()
})
