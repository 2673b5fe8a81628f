import { expect, test } from 'vitest'
import type { CategoryTree } from '@/api/schema'
import { floorsFor } from './floors'

const root = (CategoryId: string) => ({ C1: { CategoryId } }) as CategoryTree
const groups = ['1', '2', '3', '4', '5', '6', '7'].map((id) => ({
  name: `组${id}`,
  roots: [root(`${id}1`), root(`${id}2`)],
}))
const shown = (purchased: string[]) => {
  const { floors, others } = floorsFor(groups, purchased)
  return [floors, others].map((rows) => rows.map(({ name }) => name).join(''))
}

test('a visitor has six floors in the order of the menu', () => {
  expect(shown([])).toEqual(['组1组2组3组4组5组6', '组7'])
})

test('a customer has four floors, the most purchased first', () => {
  expect(shown(['72', '31'])).toEqual(['组7组3组1组2', '组4组5组6'])
})

test('a group keeps its place in the menu, for its icon', () => {
  expect(floorsFor(groups, ['72', '31']).floors.map(({ index }) => index)).toEqual([6, 2, 0, 1])
})

test('a floor opens with its most purchased category', () => {
  const { floors } = floorsFor(groups, ['72'])
  expect(floors[0]?.roots.map(({ C1 }) => C1.CategoryId)).toEqual(['72', '71'])
})
