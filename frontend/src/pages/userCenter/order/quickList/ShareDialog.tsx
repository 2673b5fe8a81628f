import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getRefusal } from '@/domain/cart/ListNameDialog'
import {
  colleagues,
  useChangeList,
  useShareList,
  type ListRight,
  type QuickList,
} from '@/domain/cart/quickLists'
import { useSettled } from '@/lib/useSettled'
import { Button } from '@/ui/Button'
import { Checkbox } from '@/ui/Choice'
import { Dialog } from '@/ui/Dialog'
import { Field, Input, Select } from '@/ui/Field'
import { Tag } from '@/ui/Small'
import { Loading } from '@/ui/States'
import { toast } from '@/ui/toast'
import styles from './quickList.module.css'

const RIGHTS = [
  { value: 'view', label: '查看' },
  { value: 'edit', label: '编辑' },
]

interface Person {
  AccountId: string
  Name: string
  Department?: string
  Right: ListRight
  IsActive: boolean
}

/** Colleagues that match the typed name and are not chosen yet. */
function PersonSearchResults({
  chosen,
  onAdd,
}: {
  chosen: readonly Person[]
  onAdd: (person: Person) => void
}) {
  const [typed, setTyped] = useState('')
  const keyword = useSettled(typed.trim(), 300)
  const { data, error } = useQuery({ ...colleagues(keyword), enabled: keyword !== '' })
  const rows = data?.filter(({ Id }) => chosen.every(({ AccountId }) => AccountId !== Id))
  return (
    <>
      <Field label="添加同事" hint="按姓名或用户名查找本企业同事">
        <Input value={typed} maxLength={40} onChange={(event) => setTyped(event.target.value)} />
      </Field>
      {keyword !== '' && !data && !error && <Loading height={40} />}
      {error && <p role="alert">{error.message}</p>}
      {keyword !== '' && rows?.length === 0 && <p>没有可添加的同事</p>}
      {keyword !== '' && (
        <ul className={styles.people} aria-label="查找结果">
          {rows?.map(({ Id, Name, Department = '' }) => (
            <li key={Id}>
              <span>
                {Name} <small>{Department}</small>
              </span>
              <Button
                size="s"
                aria-label={`添加 ${Name}`}
                onClick={() =>
                  onAdd({ AccountId: Id, Name, Department, Right: 'view', IsActive: true })
                }
              >
                添加
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** 共享: the people who may use the list, the right of each, and the own department. */
export function ShareDialog({ list, onClose }: { list: QuickList; onClose: () => void }) {
  const [people, setPeople] = useState<readonly Person[]>(list.Members)
  const [isShared, setIsShared] = useState(list.Shared)
  const share = useShareList(list.Id)
  const change = useChangeList(list.Id)
  const finish = (): void => {
    toast.success('共享设置已保存')
    onClose()
  }
  const save = (): void =>
    share.mutate(
      people.map(({ AccountId, Right }) => ({ AccountId, Right })),
      {
        onSuccess: () => {
          if (isShared === list.Shared) finish()
          else change.mutate({ Shared: isShared }, { onSuccess: finish })
        },
      },
    )
  const setRight = (id: string, Right: ListRight): void =>
    setPeople(people.map((one) => (one.AccountId === id ? { ...one, Right } : one)))
  const refusal = getRefusal(share.error, 'Members') || getRefusal(change.error, 'Shared')
  return (
    <Dialog
      open
      title={`共享“${list.Name}”`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button look="primary" loading={share.isPending || change.isPending} onClick={save}>
            保存
          </Button>
        </>
      }
    >
      {refusal && (
        <p className={styles.problem} role="alert">
          {refusal}
        </p>
      )}
      {people.length === 0 && <p>还没有单独共享给同事</p>}
      <ul className={styles.people} aria-label="已共享的同事">
        {people.map((one) => (
          <li key={one.AccountId}>
            <span>
              {one.Name} <small>{one.Department}</small>{' '}
              {!one.IsActive && <Tag tone="warn">已停用或已离开</Tag>}
            </span>
            <Select
              aria-label={`${one.Name} 的权限`}
              value={one.Right}
              options={RIGHTS}
              onChange={(right) => setRight(one.AccountId, right as ListRight)}
            />
            <Button
              size="s"
              look="text"
              aria-label={`移除 ${one.Name}`}
              onClick={() =>
                setPeople(people.filter(({ AccountId }) => AccountId !== one.AccountId))
              }
            >
              移除
            </Button>
          </li>
        ))}
      </ul>
      <PersonSearchResults chosen={people} onAdd={(person) => setPeople([...people, person])} />
      <Checkbox checked={isShared} onChange={setIsShared}>
        共享给我的部门（同部门同事可查看并下单，不能修改）
      </Checkbox>
    </Dialog>
  )
}
