// 通行密钥: create a passkey, or use one instead of a code. The result goes into the form's hidden field as JSON.
{
  const form = document.querySelector('form[data-passkey]')
  const given = document.getElementById('passkey-options')
  if (form && given) {
    const isNew = form.dataset.passkey === 'new'
    const options = JSON.parse(given.textContent)
    const hidden = form.elements.namedItem('passkey')
    // A refused form comes back with the used passkey.
    hidden.value = ''
    const fault = form.querySelector('[data-passkey-fault]')
    const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
    const textOf = (buffer) =>
      btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
    const credentials = (list) => (list ?? []).map((each) => ({ ...each, id: bytesOf(each.id) }))
    const publicKey = { ...options, challenge: bytesOf(options.challenge) }
    const create = async () => {
      const user = { ...options.user, id: bytesOf(options.user.id) }
      const { response } = await navigator.credentials.create({
        publicKey: { ...publicKey, user, excludeCredentials: credentials(options.excludeCredentials) },
      })
      return {
        Name: form.elements.namedItem('name').value,
        ClientData: textOf(response.clientDataJSON),
        AttestationObject: textOf(response.attestationObject),
      }
    }
    const use = async () => {
      const { rawId, response } = await navigator.credentials.get({
        publicKey: { ...publicKey, allowCredentials: credentials(options.allowCredentials) },
      })
      return {
        CredentialId: textOf(rawId),
        ClientData: textOf(response.clientDataJSON),
        AuthenticatorData: textOf(response.authenticatorData),
        Signature: textOf(response.signature),
      }
    }
    const say = (text) => {
      fault.textContent = text
      fault.hidden = !text
    }
    const textOfFault = (error) => {
      if (error.name === 'InvalidStateError') return '此设备上的通行密钥已经添加过'
      return isNew ? '没有添加通行密钥：已取消、超时，或此设备不支持' : '没有使用通行密钥：已取消、超时，或此设备上没有您的通行密钥'
    }
    let isAsking = false
    form.addEventListener('submit', async (event) => {
      const typed = form.elements.namedItem(isNew ? 'name' : 'code').value.trim()
      if (hidden.value || (isNew ? !typed : typed)) return
      event.preventDefault()
      if (isAsking) return
      isAsking = true
      say('')
      try {
        hidden.value = JSON.stringify(await (isNew ? create() : use()))
        form.requestSubmit(event.submitter)
      } catch (error) {
        say(textOfFault(error))
      } finally {
        isAsking = false
      }
    })
    form.querySelector('[data-use-passkey]')?.addEventListener('click', () => {
      form.elements.namedItem('code').value = ''
      form.requestSubmit(form.querySelector('button[type=submit]'))
    })
  }
}
