// The category menu and its panel.
export const menuOf = (page) => page.getByRole('navigation', { name: '商品分类' })
export const groupsOf = async (page) => {
  await menuOf(page).getByRole('button').first().waitFor()
  return menuOf(page).getByRole('button').allInnerTexts()
}
export const paneOf = (page, name) => page.getByRole('group', { name, exact: true })
