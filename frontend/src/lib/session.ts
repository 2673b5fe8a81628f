import { useSyncExternalStore } from 'react'
import { read, remove, write } from '@/lib/storage'

/** The signed-in person, decoded from the answer of login, refresh or auto-login. */

export interface User {
  uid: string
  /** GA: group admin, who sees every menu. */
  utype: string
  nname: string
}

export type Purchasing = 'order' | 'request' | 'browse' | 'unpriced'

export interface Session {
  Token: string
  RefreshToken: string
  User: User
  Enterprise: { Id: string; Name: string } | null
  Role: string[]
  /** What the roles allow in purchasing. The server judges by the present roles. */
  Purchasing?: Purchasing
  /** Set while staff act as this person: who, why, and until when by this browser's clock. */
  Acting?: { By: string; Reason: string; Until: number } | null
  Redirect?: string | null
  ReturnUrl?: string | null
}

export interface TokenAnswer {
  Token: string
  RefreshToken: string
  Redirect?: string | null
  ReturnUrl?: string | null
}

const TOKEN = 'Token'
const PERSON = 'UserInfo'

interface Claims {
  uid?: string | number
  utype?: string
  nname?: string
  Enterprise?: Session['Enterprise']
  Role?: string[]
  Purchasing?: Purchasing
  /** In seconds from the token's creation, because the clocks of server and browser may differ. */
  Acting?: { By: string; Reason: string; Seconds: number }
}

/** The claims of a token, or null if it cannot be decoded. The server checks the token itself. */
export function decodeToken(
  token: string,
): Pick<Session, 'User' | 'Enterprise' | 'Role' | 'Purchasing' | 'Acting'> | null {
  try {
    const middle = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(middle), (letter) => letter.charCodeAt(0))
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Claims
    if (!claims.uid) return null
    return {
      User: { uid: String(claims.uid), utype: claims.utype ?? '', nname: claims.nname ?? '' },
      Enterprise: claims.Enterprise ?? null,
      Role: claims.Role ?? [],
      Purchasing: claims.Purchasing ?? 'order',
      Acting: claims.Acting
        ? {
            By: claims.Acting.By,
            Reason: claims.Acting.Reason,
            Until: Date.now() + claims.Acting.Seconds * 1000,
          }
        : null,
    }
  } catch {
    return null
  }
}

const NOBODY: User = { uid: '', utype: '', nname: '' }

function load(): Session | null {
  const token = read<string>('local', TOKEN)
  const person = read<Omit<Session, 'Token' | 'User'> & { User?: User }>('local', PERSON)
  // Without a uid no refresh is possible; the refresh then reports 用户信息不存在.
  return token && person ? { ...person, User: person.User ?? NOBODY, Token: token } : null
}

let current: Session | null = load()
const listeners = new Set<() => void>()
const elsewhere = new Set<() => void>()

function set(next: Session | null): void {
  current = next
  for (const listener of listeners) listener()
}

/** Store the token and the person, each under its own key. */
function storeSession(next: Session): void {
  const { Token, ...rest } = next
  write('local', TOKEN, Token)
  write('local', PERSON, rest)
  set(next)
}

export const session = {
  get: (): Session | null => current,

  /** Store a new pair of tokens. Returns false if the token cannot be decoded. */
  start: (answer: TokenAnswer): boolean => {
    const person = decodeToken(answer.Token)
    if (!person) return false
    storeSession({
      ...person,
      Token: answer.Token,
      RefreshToken: answer.RefreshToken,
      Redirect: answer.Redirect,
      ReturnUrl: answer.ReturnUrl,
    })
    return true
  },

  /** Change the displayed name. The next token contains it too. */
  rename: (nname: string): void => {
    if (current && current.User.nname !== nname)
      storeSession({ ...current, User: { ...current.User, nname } })
  },

  end: (): void => {
    remove('local', TOKEN)
    remove('local', PERSON)
    set(null)
  },

  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },

  /** Register a callback for a sign-out in another tab. */
  onEndedElsewhere: (listener: () => void): (() => void) => {
    elsewhere.add(listener)
    return () => elsewhere.delete(listener)
  },

  /** Read the session again, because another tab may have changed it. */
  reload: (): Session | null => {
    set(load())
    return current
  },
}

// A sign-in or sign-out in another tab applies to this tab too.
window.addEventListener('storage', (event) => {
  if (event.key !== null && event.key !== TOKEN && event.key !== PERSON) return
  if (event.key !== null && event.newValue !== null) return void session.reload()
  const was = current
  session.end()
  if (was) for (const listener of elsewhere) listener()
})

export const useSession = (): Session | null => useSyncExternalStore(session.subscribe, session.get)
