import { expect, test } from 'vitest'
import { eventParser, type ServerEvent } from '@/api/listen'

test('events are told however the bytes are cut, and comments are not', () => {
  const heard: ServerEvent[] = []
  const tell = eventParser((told) => heard.push(told))
  const stream = 'event: text\ndata: {"Text": "您好: 甲"}\n\n: ping\n\nevent: done\ndata: {}\n\n'
  for (const letter of stream) tell(letter)

  expect(heard).toEqual([
    { name: 'text', data: { Text: '您好: 甲' } },
    { name: 'done', data: {} },
  ])
})
