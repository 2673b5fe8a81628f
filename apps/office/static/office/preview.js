// 页面效果: what is typed, as readers will see it. The server renders it, with the renderer of the real page; the policy allows no inline script.
// A list has no such page, and nothing to show.
document.querySelectorAll('#page-shown').forEach((shown) => {
  const said = document.querySelector('#page-shown-said')
  const form = shown.closest('form')
  const names = ['title', 'summary', 'body']
  let waits
  let latest = 0
  const typed = () => names.map((name) => form.elements[name]?.value ?? '').join('\n')
  const saved = typed()

  const show = async () => {
    latest += 1
    const asked = latest
    const body = new FormData()
    for (const name of ['csrfmiddlewaretoken', ...names]) body.set(name, form.elements[name]?.value ?? '')
    try {
      const answer = await fetch(shown.dataset.page, { method: 'POST', body, credentials: 'same-origin' })
      if (!answer.ok) throw new Error(String(answer.status))
      const html = await answer.text()
      if (asked !== latest) return
      shown.innerHTML = html
      said.textContent = typed() === saved ? '与已保存的内容一致' : '含未保存的修改'
    } catch {
      if (asked === latest) said.textContent = '暂时无法更新，请稍后再试'
    }
  }
  form.addEventListener('input', ({ target }) => {
    if (!names.includes(target.name)) return
    clearTimeout(waits)
    waits = setTimeout(show, 400)
  })
  if (form.querySelector('.errorlist, .errornote')) show()
})
