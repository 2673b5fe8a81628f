import { purchasingName, SCOPES, type MenuGroup, type RoleRow } from '@/domain/org/roles'

export interface Effect {
  gained: string[]
  lost: string[]
  /** The old and the new value. Null if unchanged. */
  scope: { before: string; after: string } | null
  purchasing: { before: string; after: string } | null
}

const scopeName = (value: string): string =>
  SCOPES.find((scope) => scope.value === value)?.label ?? value

/** The rights that a role change grants to its holders and removes from them. */
export function getEffect(
  role: Pick<RoleRow, 'MenuCodes' | 'DataScope' | 'Purchasing'> | null,
  codes: readonly string[],
  dataScope: string,
  purchasing: string,
  tree: readonly MenuGroup[],
): Effect {
  const names = new Map(
    tree.flatMap(({ Children }) => Children.map(({ Code, Name }) => [Code, Name] as const)),
  )
  const before = new Set(role?.MenuCodes)
  const after = new Set(codes)
  const named = (list: Iterable<string>): string[] =>
    [...names.keys()]
      .filter((code) => new Set(list).has(code))
      .map((code) => names.get(code) ?? code)
  return {
    gained: named([...after].filter((code) => !before.has(code))),
    lost: named([...before].filter((code) => !after.has(code))),
    scope:
      role && role.DataScope !== dataScope
        ? { before: scopeName(role.DataScope), after: scopeName(dataScope) }
        : null,
    purchasing:
      role && role.Purchasing !== purchasing
        ? { before: purchasingName(role.Purchasing), after: purchasingName(purchasing) }
        : null,
  }
}
