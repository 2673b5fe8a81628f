// 导入进度: ask how far the import is every two seconds, and open its result when it has ended.
{
  const line = document.querySelector('[data-import]')
  const result = document.querySelector('[data-result]')
  const ask = async () => {
    try {
      const answer = await fetch(line.dataset.import, { credentials: 'same-origin' })
      if (!answer.ok) throw new Error(String(answer.status))
      const { text, is_open: isOpen } = await answer.json()
      line.textContent = text
      if (!isOpen && result) return result.submit()
      if (!isOpen) return undefined
    } catch {
      // The next question may succeed.
    }
    return setTimeout(ask, 2000)
  }
  setTimeout(ask, 2000)
}
