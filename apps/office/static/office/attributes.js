// 属性: a table of names and values. A chosen category adds the names that its products usually have. Without a script the table has spare rows.
document.querySelectorAll('[data-attributes]').forEach((table) => {
  const name = table.dataset.attributes
  const add = table.querySelector('[data-add]')
  const rows = () => [...table.querySelectorAll('.office-attribute')]
  const input = (row, part) => row.querySelector(`[name$="-${part}"]`)
  const isFree = (row) => !input(row, 'name').value.trim() && !input(row, 'value').value.trim()

  const append = () => {
    const number = rows().length
    const row = rows()[0].cloneNode(true)
    for (const part of ['name', 'value']) {
      input(row, part).name = `${name}-${number}-${part}`
      input(row, part).value = ''
    }
    add.before(row)
    suggest(row, [])
    return row
  }

  const suggest = (row, values) => {
    const value = input(row, 'value')
    row.querySelector('datalist')?.remove()
    value.removeAttribute('list')
    value.setAttribute('aria-label', `${input(row, 'name').value || '属性'}的值`)
    if (!values.length) return
    const list = document.createElement('datalist')
    list.id = value.name.replace(/value$/, 'values')
    list.append(...values.map((each) => Object.assign(document.createElement('option'), { value: each })))
    value.setAttribute('list', list.id)
    row.append(list)
  }

  const show = (usual) => {
    // Names without a value belong to the category that was chosen before.
    for (const row of rows()) {
      if (input(row, 'value').value.trim()) continue
      input(row, 'name').value = ''
      suggest(row, [])
    }
    for (const { name: title, values } of usual) {
      const row = rows().find((each) => input(each, 'name').value.trim() === title) ?? rows().find(isFree) ?? append()
      input(row, 'name').value = title
      suggest(row, values)
    }
  }

  const load = async (category) => {
    if (!category) return
    const answer = await fetch(`${table.dataset.page}?category=${encodeURIComponent(category)}`, { credentials: 'same-origin' })
    if (!answer.ok) return
    const { attributes, names } = await answer.json()
    show(attributes)
    table.querySelector('[data-names]').replaceChildren(...names.map((each) => Object.assign(document.createElement('option'), { value: each })))
  }

  add.hidden = false
  add.addEventListener('click', () => input(append(), 'name').focus())
  const category = table.closest('form').elements.category
  // The search box of the category reports its changes through jQuery only.
  if (category) window.django.jQuery(category).on('change', () => load(category.value).catch(() => {}))
})
