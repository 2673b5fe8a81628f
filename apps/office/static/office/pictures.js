// 批量上传图片: files go up a few at a time into one batch, and are then checked a slice at a time, so that no request is long. The policy
// allows no inline script; without one the form sends all at once, and a button asks for each slice.
{
  const FILES = 10
  const BYTES = 12 * 1024 * 1024
  const isZip = ({ name }) => /\.zip$/i.test(name)

  /** Portions of a few files; a zip is one of its own. */
  const portions = (files) => {
    const found = []
    let size = Infinity
    for (const file of files) {
      const last = found.at(-1)
      if (isZip(file) || !last || isZip(last[0]) || last.length >= FILES || size + file.size > BYTES) {
        found.push([file])
        size = file.size
      } else {
        last.push(file)
        size += file.size
      }
    }
    return found
  }

  const send = async (form, fields) => {
    const body = new FormData()
    body.append('csrfmiddlewaretoken', form.querySelector('[name=csrfmiddlewaretoken]').value)
    body.append('piece', '1')
    for (const [name, value] of fields) body.append(name, value)
    const answer = await fetch(location.pathname, { method: 'POST', body })
    if (answer.status === 413) return { error: '文件超过服务器允许的大小，请分成小一些的压缩包或直接选择图片' }
    if (!answer.ok || !answer.headers.get('content-type')?.includes('json')) throw new Error(String(answer.status))
    return answer.json()
  }

  const tell = (form, share, text) => {
    const line = form.querySelector('[data-progress]')
    line.hidden = false
    line.querySelector('progress').value = share * 100
    line.querySelector('[role=status]').textContent = text
  }

  const upload = document.querySelector('form[data-pictures]')
  // The theme shows the last name alone.
  upload?.querySelector('input[type=file]').addEventListener('change', ({ target }) => {
    setTimeout(() => {
      const shown = upload.querySelector('input[type=text]')
      if (shown && target.files.length > 1) shown.value = `${target.files[0].name} 等 ${target.files.length} 个文件`
    })
  })
  upload?.addEventListener('submit', async (event) => {
    event.preventDefault()
    const files = [...upload.querySelector('input[type=file]').files].toSorted((one, other) => one.name.localeCompare(other.name))
    const button = upload.querySelector('button[type=submit]')
    const problem = upload.querySelector('[data-problem]')
    const problems = []
    let batch = ''
    let page
    let done = 0
    button.disabled = true
    problem.hidden = true
    try {
      for (const portion of portions(files)) {
        tell(upload, done / files.length, `正在上传 ${done} / ${files.length}`)
        const answer = await send(upload, [['batch', batch], ...portion.map((file) => ['files', file])])
        if (answer.error) problems.push(portion.length === 1 ? `${portion[0].name}：${answer.error}` : answer.error)
        else ({ batch, page } = answer)
        done += portion.length
      }
    } catch {
      problems.push('网络中断，没有全部上传；请检查网络后重试')
    }
    button.disabled = false
    upload.querySelector('[data-progress]').hidden = true
    if (problems.length === 0) location.assign(page)
    else {
      problem.textContent = problems.join('；')
      problem.hidden = false
      if (page) {
        const link = Object.assign(document.createElement('a'), { href: page, textContent: '查看已上传的部分' })
        problem.append('　', link)
      }
    }
  })

  const check = document.querySelector('form[data-check]')
  const run = async () => {
    const all = Number(check.dataset.all)
    for (let left = Number(check.dataset.check); left > 0; ) {
      tell(check, 1 - left / all, `还有 ${left} 张待检查，尚未写入`)
      ;({ left } = await send(check, [['check', '1']]))
    }
    location.reload()
  }
  if (check) run().catch(() => tell(check, 0, '检查中断，请点击“继续检查”'))
}
