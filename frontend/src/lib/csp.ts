/** The page's nonce on every style element a library creates, since some of them (antd's scroll lock) have no setting for it. Import it first. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? ''

const create = document.createElement.bind(document)

document.createElement = ((tag: string, options?: ElementCreationOptions) => {
  const element = create(tag, options)
  if (nonce && tag.toLowerCase() === 'style') element.setAttribute('nonce', nonce)
  return element
})
