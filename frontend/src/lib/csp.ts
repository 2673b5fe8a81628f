/**
 * Put the page's nonce on every style element that a library creates, because some (antd's scroll
 * lock) have no setting for it. Import this module first.
 */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? ''

const create = document.createElement.bind(document)

document.createElement = (tag: string, options?: ElementCreationOptions) => {
  const element = create(tag, options)
  if (nonce && tag.toLowerCase() === 'style') element.setAttribute('nonce', nonce)
  return element
}
