/** Options of the server for `navigator.credentials`, in their JSON form: bytes are base64url. */
export interface PasskeyOptions {
  challenge: string
  user?: { id: string; name: string; displayName: string }
  allowCredentials?: readonly { id: string; type: 'public-key' }[]
  excludeCredentials?: readonly { id: string; type: 'public-key' }[]
}

/** A new passkey, as /api/Account/SecondFactor/PasskeyAdd expects it. */
export interface NewPasskey {
  ClientData: string
  AttestationObject: string
}

/** The use of a passkey, as the calls that need a second factor expect it. */
export interface PasskeyUse {
  CredentialId: string
  ClientData: string
  AuthenticatorData: string
  Signature: string
}

/** Whether this browser has passkeys at all. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )
const getText = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const credentials = (list: PasskeyOptions['allowCredentials']) =>
  (list ?? []).map((each) => ({ ...each, id: bytesOf(each.id) }))

/** The error to show: the browser's own texts are English and do not say what to do. */
function describe(error: unknown, without: string): Error {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError')
    return new Error('此设备上的通行密钥已经添加过', { cause: error })
  if (name === 'SecurityError')
    return new Error('当前网址不能使用通行密钥，请从商城的正式网址进入', { cause: error })
  return new Error(without, { cause: error })
}

/** Creates a passkey on this device or a security key. Rejects with a text to show. */
export async function createPasskey(options: PasskeyOptions): Promise<NewPasskey> {
  try {
    const { user, ...rest } = options
    const credential = (await navigator.credentials.create({
      publicKey: {
        ...rest,
        challenge: bytesOf(options.challenge),
        user: user && { ...user, id: bytesOf(user.id) },
        excludeCredentials: credentials(options.excludeCredentials),
      } as unknown as PublicKeyCredentialCreationOptions,
    })) as PublicKeyCredential
    const response = credential.response as AuthenticatorAttestationResponse
    return {
      ClientData: getText(response.clientDataJSON),
      AttestationObject: getText(response.attestationObject),
    }
  } catch (error) {
    throw describe(error, '没有添加通行密钥：已取消、超时，或此设备不支持')
  }
}

/** Asks for a passkey of the account. Rejects with a text to show. */
export async function askPasskey(options: PasskeyOptions): Promise<PasskeyUse> {
  try {
    const used = (await navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: bytesOf(options.challenge),
        allowCredentials: credentials(options.allowCredentials),
      },
    })) as PublicKeyCredential
    const response = used.response as AuthenticatorAssertionResponse
    return {
      CredentialId: getText(used.rawId),
      ClientData: getText(response.clientDataJSON),
      AuthenticatorData: getText(response.authenticatorData),
      Signature: getText(response.signature),
    }
  } catch (error) {
    throw describe(error, '没有使用通行密钥：已取消、超时，或此设备上没有您的通行密钥')
  }
}
