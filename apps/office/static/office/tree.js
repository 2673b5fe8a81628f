// 类目排序: what is folded, and dragging, which sends the same form as the buttons of a row do. The policy allows no inline script.
{
  const OPEN = 'office.tree.open'
  const tree = document.querySelector('#category-tree')
  const parts = { grip: '[draggable]', row: '.office-branch', item: 'li[data-id]', list: 'ul[data-place]' }

  // Folding: kept for the tab, since each move loads the page anew.
  const folds = [...tree.querySelectorAll('button.office-fold')]
  const remember = () => sessionStorage.setItem(OPEN, JSON.stringify(folds.filter((fold) => fold.ariaExpanded === 'true').map((fold) => fold.getAttribute('aria-controls'))))
  const below = (fold) => document.getElementById(fold.getAttribute('aria-controls'))
  const unfold = (fold, open) => {
    fold.ariaExpanded = String(open)
    below(fold).hidden = !open
  }
  const kept = new Set(JSON.parse(sessionStorage.getItem(OPEN) ?? '[]'))
  const moved = document.getElementById(`category-${tree.dataset.at}`)
  for (const fold of folds) unfold(fold, kept.has(fold.getAttribute('aria-controls')) || (moved !== null && below(fold).contains(moved)))
  tree.addEventListener('click', ({ target }) => {
    const fold = target.closest('button.office-fold')
    if (!fold) return
    unfold(fold, fold.ariaExpanded !== 'true')
    remember()
  })
  for (const [selector, open] of [['[data-tree-open]', true], ['[data-tree-close]', false]]) {
    document.querySelector(selector).addEventListener('click', () => {
      for (const fold of folds) unfold(fold, open)
      remember()
    })
  }

  // Whoever moves by the keyboard goes on with the same button of the same row.
  const BUTTON = 'office.tree.button'
  tree.addEventListener('submit', ({ submitter }) => sessionStorage.setItem(BUTTON, submitter?.getAttribute('aria-label') ?? ''))
  if (moved) {
    const label = sessionStorage.getItem(BUTTON)
    const again = [...moved.querySelectorAll('button[name=move]')].find((button) => label && button.getAttribute('aria-label') === label && !button.disabled)
    moved.querySelector('.office-branch').classList.add('is-moved')
    moved.scrollIntoView({ block: 'center' })
    again?.focus({ preventScroll: true })
  }
  sessionStorage.removeItem(BUTTON)

  // Dragging.
  let dragged
  let mark
  let opening
  const show = (row, where) => {
    if (mark?.row === row && mark.where === where) return
    hide()
    mark = { row, where }
    row.classList.add(`is-${where}`)
    const fold = row.querySelector('button.office-fold')
    if (where === 'into' && fold && fold.ariaExpanded !== 'true') opening = setTimeout(() => unfold(fold, true), 700)
  }
  const hide = () => {
    clearTimeout(opening)
    mark?.row.classList.remove('is-before', 'is-after', 'is-into')
    mark = undefined
  }
  // What has something below it keeps its level; nothing goes into itself. The server says the same, and more.
  const fits = (level) => level === dragged.level || (dragged.empty && level <= 3)
  const whereOn = (row, y) => {
    const item = row.closest(parts.item)
    if (item && dragged.item.contains(item)) return undefined
    const beside = item && fits(Number(item.dataset.level))
    const into = row.dataset.into && fits(Number(row.dataset.intoLevel))
    if (!beside) return into ? 'into' : undefined
    const box = row.getBoundingClientRect()
    const share = (y - box.top) / box.height
    if (into && share > 0.3 && share < 0.7) return 'into'
    return share < 0.5 ? 'before' : 'after'
  }
  const send = (text) => {
    remember()
    const field = Object.assign(document.createElement('input'), { type: 'hidden', name: 'move', value: text })
    tree.append(field)
    tree.submit()
  }
  const drop = ({ row, where }) => {
    const from = dragged.item.closest(parts.list)
    const item = row.closest(parts.item)
    const goal = where === 'into' ? { place: row.dataset.into, version: row.dataset.version, at: 'last' } : undefined
    const list = item?.closest(parts.list)
    const next = where === 'before' ? item : item?.nextElementSibling
    const at = goal ?? { place: list.dataset.place, version: list.dataset.version, at: next?.dataset.id ?? 'last' }
    send([dragged.item.dataset.id, at.place, at.at, from.dataset.version, at.version].join(':'))
  }
  const rowOf = (target) => target.closest?.(`${parts.row}, h3[data-into]`)

  tree.addEventListener('dragstart', (event) => {
    const item = event.target.closest?.(parts.grip)?.closest(parts.item)
    if (!item) return
    dragged = { item, level: Number(item.dataset.level), empty: 'empty' in item.dataset }
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', item.dataset.id)
    event.dataTransfer.setDragImage(item.querySelector(parts.row), 12, 12)
    item.classList.add('is-dragged')
  })
  tree.addEventListener('dragover', (event) => {
    const row = dragged && rowOf(event.target)
    const where = row && whereOn(row, event.clientY)
    if (!where) return hide()
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
    show(row, where)
  })
  tree.addEventListener('drop', (event) => {
    event.preventDefault()
    if (dragged && mark) drop(mark)
  })
  tree.addEventListener('dragend', () => {
    hide()
    dragged?.item.classList.remove('is-dragged')
    dragged = undefined
  })
}
