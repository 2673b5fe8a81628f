interface Row {
  Id: string
  Name: string
  ParentId: string | null
}
export interface Node {
  value: string
  title: string
  children?: Node[]
}

/** Return the rows as a tree by their parents. A row whose parent is missing is a root. */
export function getTree(rows: readonly Row[]): Node[] {
  const nodes = new Map<string, Node>(rows.map(({ Id, Name }) => [Id, { value: Id, title: Name }]))
  const top: Node[] = []
  for (const { Id, ParentId } of rows) {
    const node = nodes.get(Id)
    const parent = ParentId === null ? undefined : nodes.get(ParentId)
    if (node) (parent ? (parent.children ??= []) : top).push(node)
  }
  return top
}
