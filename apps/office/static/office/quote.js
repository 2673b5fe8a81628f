// 报价: while a product code is typed, the row below shows what the customer pays now, the stock and the price of the last order.
{
  const table = document.querySelector('[data-offers]')
  table?.querySelectorAll('[data-offer]').forEach((row) => {
    const input = table.querySelector(`[name="${row.dataset.offer}"]`)
    const cell = row.querySelector('td')
    let waits
    let latest = 0
    const show = async () => {
      latest += 1
      const asked = latest
      const code = input.value.trim()
      row.hidden = !/^[0-9]{1,18}$/.test(code)
      if (row.hidden) return
      try {
        const answer = await fetch(`${table.dataset.offers}?code=${code}`, { credentials: 'same-origin' })
        if (!answer.ok) throw new Error(String(answer.status))
        const { text } = await answer.json()
        if (asked === latest) cell.textContent = text
      } catch {
        if (asked === latest) cell.textContent = '暂时无法查询价格，请稍后再试'
      }
    }
    input.addEventListener('input', () => {
      clearTimeout(waits)
      waits = setTimeout(show, 300)
    })
    if (input.value) show()
  })
}
