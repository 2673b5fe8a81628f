import type { CategoryTree } from '@/api/schema'

export interface CategoryNode {
  value: string
  title: string
  children: CategoryNode[]
}

/** The category tree as the nodes of a tree select, on three levels. */
export const categoryNodes = (tree: readonly CategoryTree[]): CategoryNode[] =>
  tree.map(({ C1, Category2List }) => ({
    value: C1.CategoryId,
    title: C1.Name,
    children: Category2List.map(({ C2, Category3List }) => ({
      value: C2.CategoryId,
      title: C2.Name,
      children: Category3List.map(({ C3 }) => ({
        value: C3.CategoryId,
        title: C3.Name,
        children: [],
      })),
    })),
  }))
