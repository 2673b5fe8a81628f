import { useSession, type Session } from '@/lib/session'

/**
 * What the person's roles allow in purchasing, as of the last token (at most 10 minutes old). A
 * visitor sees the buttons and signs in first. The server judges every call by the present roles.
 */
const getRight = (person: Session | null) => person?.Purchasing ?? 'order'

/** 下单: the person may submit orders. */
export const mayOrder = (person: Session | null): boolean => getRight(person) === 'order'

/** 仅申请 or more: the person may fill the cart. */
export const mayRequest = (person: Session | null): boolean =>
  ['order', 'request'].includes(getRight(person))

export const useMayOrder = (): boolean => mayOrder(useSession())
export const useMayRequest = (): boolean => mayRequest(useSession())
