import { describe, expect, it } from 'vitest'
import { sentence, warnIfEarly, type When } from './subscriptions'

const when = (more: Partial<When>): When => ({
  Frequency: 'monthly',
  Weekday: 1,
  MonthDay: 1,
  Time: '08:30',
  Shift: 'none',
  ...more,
})

describe('when a subscription is sent', () => {
  it.each<[Partial<When>, string]>([
    [{ Frequency: 'daily', Shift: 'skip' }, '每天 08:30 发送，遇节假日不发送'],
    [{ Frequency: 'weekly', Weekday: 5 }, '每周五 08:30 发送'],
    [{ MonthDay: 5, Shift: 'next' }, '每月 5 日 08:30 发送，遇节假日顺延至下一个工作日'],
    [{ MonthDay: 30 }, '每月 30 日（当月没有则为最后一天） 08:30 发送'],
    [{ MonthDay: 31 }, '每月最后一天 08:30 发送'],
  ])('%o', (more, said) => {
    expect(sentence(when(more))).toBe(said)
  })
})

describe('a running month that has only begun', () => {
  it.each<[Partial<When>, string | undefined, boolean]>([
    [{ MonthDay: 1 }, 'month', true],
    [{ MonthDay: 10 }, 'month', true],
    [{ MonthDay: 11 }, 'month', false],
    [{ MonthDay: 1 }, 'last_month', false],
    [{ MonthDay: 1 }, undefined, false],
    [{ Frequency: 'daily' }, 'month', false],
  ])('%o of %s', (more, period, isTold) => {
    expect(warnIfEarly(when(more), period) !== null).toBe(isTold)
  })
})
